import { describe, expect, it } from 'vitest'
import { followStream, type StreamEnd } from './follow-stream.ts'
import type { LiveState } from './live-state.ts'

/** One connection as the test wants it: open for `openMs`, or refused when undefined. */
type Connection = { openMs?: number; end: StreamEnd }

const LOST: Connection = { end: { why: 'lost' } }
const held = (openMs: number, why: 'lost' | 'expired'): Connection => ({ openMs, end: { why } })

/** Follows a stream whose connections go as scripted, by a clock that only sleeping and connections move. */
async function follow(connections: readonly Connection[], { hasGap = false } = {}) {
  const stop = new AbortController()
  let nowMs = 0
  const states: LiveState[] = []
  const sleptMs: number[] = []
  let gaps = 0
  let at = 0
  await followStream({
    connect: async (onOpen) => {
      const connection = connections[at++]
      if (connection === undefined) {
        stop.abort()
        return { why: 'lost' }
      }
      if (connection.openMs !== undefined) {
        onOpen()
        nowMs += connection.openMs
      }
      return connection.end
    },
    onState: (state) => states.push(state),
    onGap: () => gaps++,
    hasGap,
    sleep: async (ms) => {
      sleptMs.push(ms)
      nowMs += ms
    },
    nowMs: () => nowMs,
    random: () => 0,
    signal: stop.signal,
  })
  return { states, sleptMs, gaps, kinds: states.map(({ kind }) => kind) }
}

describe('followStream', () => {
  it('is live at once, and asks for nothing to be read again', async () => {
    const { states, gaps } = await follow([held(60_000, 'expired')])
    expect(states[0]).toEqual({ kind: 'live' })
    expect(gaps).toBe(0)
  })

  it('goes on without a word when the token of a stream has ended, and has everything read again', async () => {
    const { kinds, sleptMs, gaps } = await follow([held(900_000, 'expired'), held(900_000, 'expired')])
    expect(kinds).toEqual(['live', 'live'])
    expect(sleptMs).toEqual([])
    expect(gaps).toBe(1)
  })

  it('waits longer after each failure, and begins anew after a good connection', async () => {
    const { sleptMs } = await follow([LOST, LOST, LOST, held(20_000, 'lost'), LOST])
    expect(sleptMs).toEqual([1000, 2000, 4000, 1000, 2000])
  })

  it('does not take a connection that is cut at once for a good one', async () => {
    const cut = held(10, 'lost')
    expect((await follow([cut, cut, cut])).sleptMs).toEqual([1000, 2000, 4000])
  })

  it('waits even when a token is said to have expired as soon as it is shown', async () => {
    const refused = held(10, 'expired')
    expect((await follow([refused, refused])).sleptMs).toEqual([1000, 2000])
  })

  it('says since when it is lost, over all tries, and when the next one is', async () => {
    const { states } = await follow([held(20_000, 'lost'), LOST])
    expect(states).toEqual([
      { kind: 'live' },
      { kind: 'reconnecting', sinceMs: 20_000, retryAtMs: 21_000 },
      { kind: 'reconnecting', sinceMs: 20_000 },
      { kind: 'reconnecting', sinceMs: 20_000, retryAtMs: 23_000 },
      { kind: 'reconnecting', sinceMs: 20_000 },
    ])
  })

  it('waits as long as the service asks when there are too many streams', async () => {
    const { kinds, sleptMs } = await follow([{ end: { why: 'crowded', retryAfterMs: 15_000 } }])
    expect(kinds[0]).toBe('crowded')
    expect(sleptMs).toEqual([15_000])
  })

  it('has everything read again when it takes over from another tab', async () => {
    const { states, gaps } = await follow([held(20_000, 'lost')], { hasGap: true })
    expect(states[0]).toEqual({ kind: 'live', refreshedAtMs: 0 })
    expect(gaps).toBe(1)
  })

  it('has everything read again once after an outage, however many tries it took', async () => {
    expect((await follow([held(20_000, 'lost'), LOST, LOST, held(20_000, 'lost')])).gaps).toBe(1)
  })
})
