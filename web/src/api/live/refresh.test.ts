import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRefresher, outdatedBy } from './refresh.ts'

/** A page that shows the given queries, and counts how often each is read. */
async function pageWith(...keys: readonly string[][]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } })
  const reads: Record<string, number> = {}
  for (const queryKey of keys) {
    const name = queryKey.join(' ')
    const queryFn = async () => {
      reads[name] = (reads[name] ?? 0) + 1
      return reads[name]
    }
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  }
  await vi.advanceTimersByTimeAsync(10)
  return { client, reads, refresher: createRefresher(client) }
}

const COLLECTED = { name: 'feed.collected', data: '{}' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('outdatedBy', () => {
  it.each(['hunt.completed', 'message', 'constructor', '__proto__', 'toString'])('takes nothing for out of date at %s', (name) => {
    expect(outdatedBy({ name, data: '{}' })).toBeUndefined()
  })
})

describe('an event', () => {
  it('has the sources read again once, however many feeds end at one moment', async () => {
    const { reads, refresher } = await pageWith(['feeds', 'sources'], ['users'])
    for (let n = 0; n < 20; n++) refresher.onEvent(COLLECTED)
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads).toEqual({ 'feeds sources': 2, users: 1 })
    refresher.onEvent(COLLECTED)
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads['feeds sources']).toBe(3)
  })

  it('leaves a list that somebody reads where it is, and has it read again at the next visit', async () => {
    const { client, reads, refresher } = await pageWith(['indicators', 'list'])
    refresher.onEvent(COLLECTED)
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads['indicators list']).toBe(1)
    expect(client.getQueryState(['indicators', 'list'])?.isInvalidated).toBe(true)
  })
})

describe('a full refresh', () => {
  it('reads everything on screen again, once', async () => {
    const { reads, refresher } = await pageWith(['feeds', 'sources'], ['users'], ['me'])
    refresher.everything()
    await vi.advanceTimersByTimeAsync(2100)
    expect(reads).toEqual({ 'feeds sources': 2, users: 2, me: 2 })
  })

  it('reads nothing in a tab that nobody sees, and marks everything for later', async () => {
    const { client, reads, refresher } = await pageWith(['users'])
    vi.stubGlobal('document', { visibilityState: 'hidden' })
    refresher.everything()
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads['users']).toBe(1)
    expect(client.getQueryState(['users'])?.isInvalidated).toBe(true)
  })
})
