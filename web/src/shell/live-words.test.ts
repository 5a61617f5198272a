import { describe, expect, it } from 'vitest'
import type { LiveState } from '../api/live/live-state.ts'
import { liveWords } from './live-words.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 10, 0, 0)
const lost = (agoMs: number, retryInMs?: number): LiveState => ({
  kind: 'reconnecting',
  sinceMs: NOW_MS - agoMs,
  ...(retryInMs === undefined ? {} : { retryAtMs: NOW_MS + retryInMs }),
})

describe('liveWords', () => {
  it.each<{ state: LiveState; word: string; look: string }>([
    { state: { kind: 'connecting' }, word: 'Connecting', look: 'pending' },
    { state: { kind: 'live' }, word: 'Live', look: 'ok' },
    { state: { kind: 'live', refreshedAtMs: NOW_MS - 1000 }, word: 'Live, refreshed', look: 'ok' },
    { state: { kind: 'live', refreshedAtMs: NOW_MS - 7000 }, word: 'Live', look: 'ok' },
    { state: lost(1000, 3200), word: 'Reconnecting 4 s', look: 'pending' },
    { state: lost(1000, -5), word: 'Reconnecting', look: 'pending' },
    { state: lost(1000), word: 'Reconnecting', look: 'pending' },
    { state: lost(60_000, 3200), word: 'Offline since 09:59 UTC', look: 'degraded' },
    { state: lost(60_000), word: 'Offline since 09:59 UTC', look: 'degraded' },
    { state: { kind: 'crowded', sinceMs: NOW_MS }, word: 'Not live', look: 'degraded' },
  ])('says "$word"', ({ state, word, look }) => {
    expect(liveWords(state, NOW_MS, 'UTC')).toMatchObject({ word, look })
  })

  it('tells screen readers nothing that changes every second', () => {
    const spoken = [4000, 3000, 2000, 1000].map((retryInMs) => liveWords(lost(1000, retryInMs), NOW_MS, 'UTC').spoken)
    expect(new Set(spoken).size).toBe(1)
  })
})
