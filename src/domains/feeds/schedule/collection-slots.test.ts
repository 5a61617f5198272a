import { describe, expect, test } from 'vitest'
import { createCollectionSlots, hostOf } from './collection-slots.ts'

type Feed = { id: string; host: string }
const feed = (id: string, host = `${id}.example.org`): Feed => ({ id, host })
const NEVER = new AbortController().signal
const flush = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve))

/** Slots whose collections end when the test says so. */
function openSlots() {
  const ends = new Map<string, () => void>()
  const order: string[] = []
  const slots = createCollectionSlots<Feed>(4, async ({ id }) => {
    order.push(id)
    await new Promise<void>((resolve) => ends.set(id, resolve))
  })
  const end = async (id: string): Promise<void> => {
    ends.get(id)?.()
    await flush()
  }
  return { slots, order, end }
}

describe('collections', () => {
  test('run four at once, and the next begins by itself when one has ended, in the order of the list', async () => {
    const { slots, order, end } = openSlots()
    slots.offer(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => feed(id)),
      NEVER,
    )
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(slots.waiting()).toBe(2)
    await end('b')
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e'])
    await end('c')
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(slots.waiting()).toBe(0)
  })

  test('that waited are replaced by a newer list', async () => {
    const { slots, order, end } = openSlots()
    slots.offer(
      ['a', 'b', 'c', 'd', 'gone'].map((id) => feed(id)),
      NEVER,
    )
    slots.offer([feed('new')], NEVER)
    await end('a')
    expect(order).toEqual(['a', 'b', 'c', 'd', 'new'])
  })

  test('from one host run one after the other, and hold up no other host', async () => {
    const { slots, order, end } = openSlots()
    const work = slots.collectAll([feed('a', 'slow.example'), feed('b', 'slow.example'), feed('c', 'other.example')], NEVER)
    await flush()
    expect(order).toEqual(['a', 'c'])
    await end('c')
    expect(order).toEqual(['a', 'c'])
    await end('a')
    expect(order).toEqual(['a', 'c', 'b'])
    await end('b')
    await work
  })

  test('of a feed that is running already do not begin again', () => {
    const { slots, order } = openSlots()
    slots.offer([feed('a')], NEVER)
    slots.offer([feed('a', 'moved.example')], NEVER)
    expect(order).toEqual(['a'])
    expect(slots.isRunning('a')).toBe(true)
  })

  test('that wait are not begun after the signal, and those that run are waited for', async () => {
    const { slots, order, end } = openSlots()
    const stop = new AbortController()
    let over = false
    const work = slots.collectAll([feed('a', 'one.example'), feed('b', 'one.example')], stop.signal).then(() => {
      over = true
    })
    stop.abort()
    await flush()
    expect(over).toBe(false)
    await end('a')
    await work
    expect(order).toEqual(['a'])
  })
})

test('a placeholder in an address does not hide its host', () =>
  expect(hostOf('https://lists.example.org/{KEY}/a.csv')).toBe('lists.example.org'))
