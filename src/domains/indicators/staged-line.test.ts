import { describe, expect, test } from 'vitest'
import { type ListedValue, stagedLine } from './staged-line.ts'

const AT = new Date('2026-11-21T08:00:00.000Z')
const lineOf = (more: Partial<ListedValue>) => stagedLine({ type: 'DOMAIN', value: 'example.org', ...more })

// biome-ignore format: one table
const CASES: readonly { title: string; more: Partial<ListedValue>; line: string }[] = [
  { title: 'a bare value says nothing',                       more: {}, line: 'DOMAIN\texample.org\t\\N' },
  { title: 'parts that are not said are empty',               more: { severity: 'HIGH' }, line: 'DOMAIN\texample.org\tHIGH\x1f\x1f\x1f\x1f\x1f' },
  { title: 'moments are milliseconds',                        more: { firstSeen: AT, lastSeen: AT, validUntil: AT }, line: `DOMAIN\texample.org\t\x1f\x1f\x1f${AT.getTime()}\x1f${AT.getTime()}\x1f${AT.getTime()}` },
  { title: 'tags come once, in one order',                    more: { tags: ['b', 'a', 'b'] }, line: 'DOMAIN\texample.org\t\x1fa\x1eb\x1f\x1f\x1f\x1f' },
  { title: 'a tag cannot become two, nor a part of its own',  more: { tags: ['a\x1eb', 'c\x1fd'] }, line: 'DOMAIN\texample.org\t\x1fa b\x1ec d\x1f\x1f\x1f\x1f' },
  { title: 'a description cannot become another part',        more: { description: 'x\x1f0\x1f0' }, line: 'DOMAIN\texample.org\t\x1f\x1fx 0 0\x1f\x1f\x1f' },
  { title: 'what PostgreSQL has no text for goes',            more: { description: 'a\0b' }, line: 'DOMAIN\texample.org\t\x1f\x1fa b\x1f\x1f\x1f' },
  { title: 'what COPY reads as its own is escaped',           more: { value: 'a\\b', description: 'one\ttwo\nthree\\.' }, line: 'DOMAIN\ta\\\\b\t\x1f\x1fone\\ttwo\\nthree\\\\.\x1f\x1f\x1f' },
]

describe('a line of the staging table', () => {
  test.each(CASES)('$title', ({ more, line }) => {
    expect(lineOf(more)).toBe(line)
  })

  test('two lists that say the same in another order have the same line', () => {
    expect(lineOf({ tags: ['x', 'y'] })).toBe(lineOf({ tags: ['y', 'x'] }))
  })
})
