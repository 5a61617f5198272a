import { describe, expect, it } from 'vitest'
import { pagingOf } from './page-trail.ts'

function walk(list: string, cursor: string | undefined, next: string | null) {
  const went: (string | undefined)[] = []
  return { ...pagingOf({ list, cursor, page: { items: ['a', 'b'], next }, onGo: (to) => went.push(to) }), went }
}

describe('pagingOf', () => {
  it('leads on by the cursor, and back to where the reader came from', () => {
    const first = walk('one', undefined, 'c2')
    expect(first.onNewer).toBeUndefined()
    first.onOlder?.()
    const second = walk('one', 'c2', 'c3')
    second.onOlder?.()
    const third = walk('one', 'c3', null)
    expect(third.place).toEqual({ newer: 'c2', rowsBefore: 4 })
    expect(third.onOlder).toBeUndefined()
    third.onNewer?.()
    expect([first.went, second.went, third.went]).toEqual([['c2'], ['c3'], ['c2']])
  })
  it('leads to the first page when the way back is not known', () => {
    const linked = walk('two', 'c9', null)
    expect(linked.place).toBeUndefined()
    linked.onNewer?.()
    expect(linked.went).toEqual([undefined])
  })
  it('keeps lists with other filters apart', () => {
    walk('three', undefined, 'same').onOlder?.()
    expect(walk('four', 'same', null).place).toBeUndefined()
  })
})
