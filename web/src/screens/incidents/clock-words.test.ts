import { describe, expect, it } from 'vitest'
import { clockOf } from './clock-words.ts'

describe('clockOf', () => {
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString()
  const open = { acknowledged_at: null, closed_at: null, take_in_due_at: at(60), resolution_due_at: at(1440) }
  it.each([
    ['waits to be taken in', open, 30, { kind: 'take-in', state: 'running', text: '30 min left' }],
    ['is in time at the moment itself', open, 60, { kind: 'take-in', state: 'running', text: '0 min left' }],
    ['was not taken in', open, 90, { kind: 'take-in', state: 'late', text: 'late by 30 min' }],
    [
      'is taken in and runs on',
      { ...open, acknowledged_at: at(20) },
      90,
      { kind: 'resolution', state: 'running', text: '22 h 30 min left' },
    ],
    ['is taken in and late', { ...open, acknowledged_at: at(20) }, 1500, { kind: 'resolution', state: 'late', text: 'late by 1 h' }],
    ['was closed in time', { ...open, closed_at: at(1440) }, 9999, { kind: 'resolution', state: 'done', text: 'in time' }],
    ['was closed late', { ...open, closed_at: at(1500) }, 9999, { kind: 'resolution', state: 'late', text: 'late by 1 h' }],
  ] as const)('%s', (_title, incident, nowMinutes, clock) => expect(clockOf(incident, nowMinutes * 60_000)).toEqual(clock))
})
