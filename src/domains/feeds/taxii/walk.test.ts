import { describe, expect, test } from 'vitest'
import { beginWalk, type PageFacts, restartWalk, type TaxiiCursor, takeStep, toRequest } from './walk.ts'

const NOW = new Date('2026-11-21T08:00:00Z')
const facts = (given: Partial<PageFacts>): PageFacts => ({
  more: undefined,
  next: undefined,
  isEmpty: false,
  addedLast: undefined,
  ...given,
})
const step = (cursor: TaxiiCursor, given: Partial<PageFacts>, seen = new Set<string>()) =>
  takeStep(cursor, facts(given), { seen, now: NOW })
const walking = (walk: Partial<NonNullable<TaxiiCursor['walk']>>, added_after?: string): TaxiiCursor => ({
  ...(added_after === undefined ? {} : { added_after }),
  walk: { started_at: '2026-11-21T07:00:00.000Z', ...walk },
})

describe('the end of a walk', () => {
  test.each([
    {
      title: 'moves to the last date',
      cursor: walking({}),
      given: { more: false, addedLast: '2026-11-01T08:00:00.5Z' },
      want: '2026-11-01T08:00:00.5Z',
    },
    {
      title: 'keeps the latest date of all pages',
      cursor: walking({ last_added: '2026-11-03T00:00:00Z' }),
      given: { addedLast: '2026-11-02T00:00:00Z' },
      want: '2026-11-03T00:00:00Z',
    },
    {
      title: 'never moves back',
      cursor: walking({}, '2026-11-05T00:00:00Z'),
      given: { addedLast: '2026-11-02T00:00:00Z' },
      want: '2026-11-05T00:00:00Z',
    },
    {
      title: 'keeps its place when nothing came',
      cursor: walking({}, '2026-11-05T00:00:00Z'),
      given: { isEmpty: true },
      want: '2026-11-05T00:00:00Z',
    },
    { title: 'without dates goes back to before its beginning', cursor: walking({}), given: {}, want: '2026-11-21T06:45:00.000Z' },
    {
      title: 'does not believe a date in the future',
      cursor: walking({}),
      given: { addedLast: '9999-01-01T00:00:00Z' },
      want: '2026-11-21T06:45:00.000Z',
    },
    { title: 'does not believe what is no date', cursor: walking({}), given: { addedLast: 'soon' }, want: '2026-11-21T06:45:00.000Z' },
    { title: 'has no place when nothing ever came', cursor: walking({}), given: { isEmpty: true }, want: undefined },
    {
      title: 'comes when there is more of nothing',
      cursor: walking({ last_added: '2026-11-03T00:00:00Z' }),
      given: { more: true, isEmpty: true },
      want: '2026-11-03T00:00:00Z',
    },
  ])('$title', ({ cursor, given, want }) => {
    expect(step(cursor, given)).toEqual({ cursor: want === undefined ? {} : { added_after: want }, last: true })
  })
})

describe('the next page', () => {
  test('by "next" goes with the filters of the walk', () => {
    const { cursor, last } = step(walking({}, '2026-11-01T00:00:00Z'), { more: true, next: 'b', addedLast: '2026-11-02T00:00:00Z' })
    expect(last).toBe(false)
    expect(toRequest(cursor)).toEqual({ addedAfter: '2026-11-01T00:00:00Z', next: 'b', limit: 1000 })
  })

  test('is there, too, when a server gives "next" and leaves "more" out, but not when it says that there is none', () => {
    expect(step(walking({}), { next: 'b' }).last).toBe(false)
    expect(step(walking({}), { more: false, next: 'b' }).last).toBe(true)
  })

  test('by date asks for the last moment once more', () => {
    const { cursor } = step(walking({}, '2026-11-01T00:00:00Z'), { more: true, addedLast: '2026-11-02T00:00:00.000002Z' })
    expect(toRequest(cursor)).toEqual({ addedAfter: '2026-11-02T00:00:00.000001Z', limit: 1000 })
    expect(cursor.added_after).toBe('2026-11-01T00:00:00Z')
  })

  test('grows where a moment fills a page, and in the end goes past it with a warning', () => {
    let cursor: TaxiiCursor = walking({})
    const limits: number[] = []
    const crowded = { more: true, addedLast: '2026-11-02T00:00:00.000002Z' }
    for (let n = 0; n < 6; n++) {
      limits.push(toRequest(cursor).limit)
      const taken = step(cursor, crowded)
      expect(taken.warning === undefined).toBe(n !== 4)
      cursor = taken.cursor
    }
    expect(limits).toEqual([1000, 1000, 4000, 16_000, 64_000, 1000])
  })

  test('that was seen before is not asked for again', () => {
    const undated = step(walking({ next: 'a' }), { more: true, next: 'a' }, new Set(['a']))
    expect(undated).toMatchObject({ last: false, stuck: expect.stringContaining('same "next"') })
    expect(toRequest(undated.cursor)).toMatchObject({ next: 'a' })
    const dated = step(walking({ next: 'a' }), { more: true, next: 'a', addedLast: '2026-11-02T00:00:00Z' }, new Set(['a']))
    expect(toRequest(dated.cursor)).toEqual({ addedAfter: '2026-11-01T23:59:59Z', limit: 1000 })
  })
})

test('a walk that is taken up again keeps its beginning, and one that starts anew too', () => {
  const resumed = beginWalk(walking({ next: 'c' }, '2026-11-01T00:00:00Z'), NOW)
  expect(resumed.walk).toEqual({ started_at: '2026-11-21T07:00:00.000Z', next: 'c' })
  expect(restartWalk(resumed)).toEqual({ added_after: '2026-11-01T00:00:00Z', walk: { started_at: '2026-11-21T07:00:00.000Z' } })
  expect(beginWalk({}, NOW).walk.started_at).toBe(NOW.toISOString())
})
