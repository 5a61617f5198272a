import { describe, expect, test } from 'vitest'
import { encodeMessage, type LiveEvent, MAX_MESSAGE_BYTES, toLiveEvent, tryDecodeMessage } from './event.ts'

const EVENT: LiveEvent = toLiveEvent(
  { name: 'feed.collected', data: { feed_id: 'x', new_count: 3, error: null }, adminData: { error: 'why' }, roles: ['ADMIN', 'ANALYST'] },
  new Date('2026-11-21T08:00:00.000Z'),
)

describe('a message', () => {
  test('comes back as it was written', () => {
    expect(tryDecodeMessage(encodeMessage({ kind: 'event', event: EVENT }))).toEqual({ kind: 'event', event: EVENT })
    const lost = { kind: 'lost', from: 'a', lostAtMs: 1 } as const
    expect(tryDecodeMessage(encodeMessage(lost))).toEqual(lost)
  })

  test.each([
    ['what only an ADMIN gets goes first', { data: { feed_id: 'x' }, adminData: { error: 'é'.repeat(5000) } }, { feed_id: 'x' }],
    ['then the data', { data: { text: 'é'.repeat(5000) } }, {}],
    ['bytes count, not characters', { data: { text: '€'.repeat(2700) } }, {}],
  ])('is never too long for a transport: %s', (_title, members, data) => {
    const event = toLiveEvent({ name: 'feed.collected', ...members }, new Date())
    expect(Buffer.byteLength(encodeMessage({ kind: 'event', event }))).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
    expect(event).toMatchObject({ name: 'feed.collected', data })
    expect(event).not.toHaveProperty('adminData')
  })

  test.each([
    ['no JSON', 'hello'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another kind', '{"kind":"other"}'],
    ['no event', '{"kind":"event"}'],
    ['a loss without a time', '{"kind":"lost","from":"a"}'],
    ['an unknown name', encodeMessage({ kind: 'event', event: { ...EVENT, name: 'feed.exploded' as 'feed.collected' } })],
    ['a name of the stream itself', encodeMessage({ kind: 'event', event: { ...EVENT, name: 'expired' as 'feed.collected' } })],
    ['an id that would begin a line', encodeMessage({ kind: 'event', event: { ...EVENT, id: '1\nevent: expired' } })],
    ['an unknown role', encodeMessage({ kind: 'event', event: { ...EVENT, roles: ['ROOT' as 'ADMIN'] } })],
    ['data that is a list', JSON.stringify({ kind: 'event', event: { ...EVENT, data: [] } })],
  ])('of another program is left alone: %s', (_title, text) => {
    expect(tryDecodeMessage(text)).toBeUndefined()
  })
})

test('events that are made one after the other sort by their ids', () => {
  const ids = Array.from({ length: 50 }, () => toLiveEvent({ name: 'hunt.completed', data: {} }, new Date()).id)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(50)
})
