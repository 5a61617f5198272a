import { describe, expect, test } from 'vitest'
import {
  beginWalk,
  halvePages,
  newsFilter,
  PAGE_LIMIT,
  type PageFacts,
  type PulseCursor,
  restartWalk,
  takeStep,
  toRequest,
} from './walk.ts'

const NOW = new Date('2026-11-10T12:00:00Z')
const DATE = 'Tue, 10 Nov 2026 11:59:00 GMT'
const pulse = (id: string, modified: string) => ({ id, modified })
const full = Array.from({ length: PAGE_LIMIT }, (_, n) => pulse(`p${n}`, '2026-11-09T10:00:00.123456'))

function facts(more: Partial<PageFacts> = {}): PageFacts {
  return { count: 100, next: 'home', pulses: full, date: DATE, ...more }
}
/** A walk that has read the pages before `page`. */
function at(page: number, more: Partial<NonNullable<PulseCursor['walk']>> = {}, between: PulseCursor = {}) {
  return { ...between, walk: { started_at: NOW.toISOString(), page, limit: PAGE_LIMIT, count: 100, ...more } }
}

describe('a walk', () => {
  test('begins at the first page, of everything when nothing is known', () => {
    expect(toRequest(beginWalk({}, NOW))).toEqual({ page: 1, limit: PAGE_LIMIT })
    expect(toRequest(beginWalk({ modified_since: '2026-11-01T00:00:00.000Z' }, NOW))).toMatchObject({
      modifiedSince: '2026-11-01T00:00:00.000Z',
    })
  })

  test('keeps asking after the same moment, page after page', () => {
    const { cursor, last } = takeStep(at(3, {}, { modified_since: '2026-11-01T00:00:00.000Z' }), facts())
    expect(last).toBe(false)
    expect(cursor).toMatchObject({ modified_since: '2026-11-01T00:00:00.000Z', walk: { page: 4 } })
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'no next link',                next: 'none' as const, pulses: full },
    { title: 'a page without pulses',       next: 'home' as const, pulses: [] },
  ])('ends with $title', ({ next, pulses }) => {
    const step = takeStep(at(3, { top: '2026-11-09T10:00:00.123Z', until: '2026-11-10T11:59:00.000Z' }), facts({ next, pulses }))
    expect(step).toMatchObject({ last: true, cursor: { modified_since: '2026-11-09T09:45:00.123Z' } })
    expect(step.cursor.walk).toBeUndefined()
  })

  test('that is led to another host keeps the page and its place, and says why', () => {
    const asked = at(3)
    const step = takeStep(asked, facts({ next: 'elsewhere' }))
    expect(step).toMatchObject({ last: false, stuck: expect.stringContaining('another host') })
    expect(step.cursor).toBe(asked)
  })

  test('is gone on with from its place', () => {
    const cursor = JSON.parse(JSON.stringify(takeStep(at(7), facts()).cursor)) as PulseCursor
    expect(toRequest(beginWalk(cursor, new Date('2026-11-11T00:00:00Z')))).toMatchObject({ page: 8 })
    expect(beginWalk(cursor, new Date('2026-11-11T00:00:00Z')).walk.started_at).toBe(NOW.toISOString())
  })
})

describe('the next walk', () => {
  const sinceOf = (asked: ReturnType<typeof at>, more: Partial<PageFacts>) =>
    takeStep(asked, facts({ next: 'none', ...more })).cursor.modified_since

  // biome-ignore format: one case per line
  test.each([
    { title: 'a little before the latest pulse of all pages',         asked: at(3, { top: '2026-11-09T12:00:00.000Z' }),                       pulses: full,                                        want: '2026-11-09T11:45:00.000Z' },
    { title: 'never later than the server\'s clock at the first page', asked: at(3, { until: '2026-11-08T00:00:00.000Z' }),                     pulses: full,                                        want: '2026-11-07T23:45:00.000Z' },
    { title: 'not ahead of our clock, whatever a pulse says',         asked: at(3),                                                            pulses: [pulse('x', '2099-01-01T00:00:00')],         want: '2026-11-10T11:45:00.000Z' },
    { title: 'never earlier than before',                             asked: at(1, {}, { modified_since: '2026-11-09T23:00:00.000Z' }),         pulses: full,                                        want: '2026-11-09T23:00:00.000Z' },
    { title: 'before this one where no pulse has a date',             asked: at(3),                                                            pulses: [{ id: 'x', modified: undefined }],          want: '2026-11-10T11:45:00.000Z' },
  ])('begins $title', ({ asked, pulses, want }) => {
    expect(sinceOf(asked, { pulses })).toBe(want)
  })

  test("takes the server's clock from the first page alone", () => {
    expect(takeStep(at(1), facts()).cursor.walk?.until).toBe('2026-11-10T11:59:00.000Z')
    expect(takeStep(at(2), facts()).cursor.walk?.until).toBeUndefined()
    for (const date of ['soon', 'Thu, 01 Jan 2099 00:00:00 GMT', 'Thu, 01 Jan 1998 00:00:00 GMT'])
      expect(takeStep(at(1), facts({ date })).cursor.walk?.until, date).toBeUndefined()
  })

  test('finds news in what it has not had, in a newer version, and in what has no id or date', () => {
    const { cursor } = takeStep(
      at(1),
      facts({
        next: 'none',
        pulses: [pulse('a', '2026-11-09T10:00:00'), pulse('b', '2026-11-09T09:50:00'), pulse('c', '2026-11-09T08:00:00')],
      }),
    )
    expect(cursor.recent).toEqual([
      ['a', '2026-11-09T10:00:00'],
      ['b', '2026-11-09T09:50:00'],
    ])
    const isNews = newsFilter(cursor)
    expect(isNews(pulse('a', '2026-11-09T10:00:00'))).toBe(false)
    expect(isNews(pulse('a', '2026-11-09T10:00:01'))).toBe(true)
    expect(isNews(pulse('new', '2026-11-09T09:46:00'))).toBe(true)
    // The server was asked for what is later, and sends everything.
    expect(isNews(pulse('c', '2026-11-09T08:00:00'))).toBe(false)
    expect(isNews({ id: undefined, modified: undefined })).toBe(true)
    expect(isNews(pulse('odd', 'yesterday'))).toBe(true)
    expect(newsFilter({})(pulse('__proto__', '2001-01-01'))).toBe(true)
  })

  test('remembers a thousand pulses at most, the newest', () => {
    const many = Array.from({ length: 1500 }, (_, n) => pulse(`p${n}`, new Date(NOW.getTime() - 600_000 + n).toISOString()))
    const { recent = [] } = takeStep(at(1), facts({ next: 'none', pulses: many })).cursor
    expect(recent).toHaveLength(1000)
    expect(recent.some(([id]) => id === 'p1499')).toBe(true)
    expect(recent.some(([id]) => id === 'p0')).toBe(false)
  })
})

describe('a list that changes while it is read', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'growth moves pulses back, where they are met again', count: 130, page: 5, want: 6 },
    { title: 'one pulse that has gone: one page again',            count: 99,  page: 5, want: 4 },
    { title: 'a page and more that have gone: two pages again',    count: 79,  page: 5, want: 3 },
    { title: 'more than was read: from the beginning',             count: 1,   page: 3, want: 1 },
    { title: 'no count at all: on',                                count: undefined, page: 5, want: 6 },
  ])('$title', ({ count, page, want }) => {
    expect(takeStep(at(page), facts({ count })).cursor.walk?.page).toBe(want)
  })

  test('does not end on a last page before which pulses have gone', () => {
    expect(takeStep(at(5), facts({ count: 99, next: 'none' }))).toMatchObject({ last: false, cursor: { walk: { page: 4, count: 99 } } })
  })

  test('whose counts fall for ever is read on, with a warning', () => {
    expect(takeStep(at(5, { stepped_back: 10 }), facts({ count: 99 }))).toMatchObject({
      cursor: { walk: { page: 6 } },
      warning: expect.stringContaining('may be missing'),
    })
  })

  test('that has fewer pages by now is read from its beginning, but not for ever', () => {
    const anew = restartWalk(at(9, { top: '2026-11-09T12:00:00.000Z' }))
    expect(anew?.walk).toMatchObject({ page: 1, started_at: NOW.toISOString(), top: '2026-11-09T12:00:00.000Z' })
    expect(anew?.walk.count).toBeUndefined()
    expect(restartWalk(at(1))).toBeUndefined()
    expect(restartWalk(at(9, { stepped_back: 10 }))).toBeUndefined()
  })
})

describe('a server that cannot make a page in time', () => {
  test('is asked for half as much, from the same pulse', () => {
    const half = halvePages(at(3))
    expect(half?.walk).toMatchObject({ limit: 10, page: 5 })
    expect(half === undefined ? undefined : halvePages(half)?.walk).toMatchObject({ limit: 5, page: 9 })
  })

  test('is not asked for less than five, nor where it chooses the size of its pages itself', () => {
    expect(halvePages(at(3, { limit: 5 }))).toBeUndefined()
    const { cursor } = takeStep(at(3), facts({ pulses: full.slice(0, 7) }))
    expect(halvePages(beginWalk(cursor, NOW))).toBeUndefined()
  })
})
