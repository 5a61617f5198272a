import { describe, expect, test } from 'vitest'
import type { ParserSettings } from '../parser-settings.ts'
import { tryParseFeedDate } from './feed-date.ts'
import { createKindReader, withoutPort } from './kind-word.ts'
import { readWhole } from './read-whole.test-support.ts'

const CHARS = 65_536
const fill = (text: string) => text.repeat(Math.ceil(CHARS / text.length)).slice(0, CHARS)

/** Texts of 64 kB that make careless patterns and loops go over them again and again. The promise is that each of these tests ends. */
const HOSTILE = {
  'one letter': fill('a'),
  blanks: fill(' '),
  'tabs and blanks': fill(' \t'),
  quotes: fill('"'),
  'quote and comma': fill('",'),
  'doubled quotes and commas': fill('"",'),
  commas: fill(','),
  hashes: fill('#'),
  'inline comments': fill(' #'),
  'digits and dashes': fill('2026-01-01 '),
  colons: fill(':1'),
  brackets: fill('['),
  braces: fill('{"a":'),
  backslashes: fill('\\'),
  'open texts': fill('"\\'),
  'dotted names': fill('a.'),
  'line ends': fill('\r'),
  'lines of one quote': fill('"\n'),
  'lines of a quote and text': fill('"a\n'),
  'lines of an open second cell': fill('a,"b\n'),
} as const

describe.each(Object.entries(HOSTILE))('%s', (_title, text) => {
  const settings: ParserSettings[] = [
    {},
    { delimiter: ',', value: 1 },
    { delimiter: 'whitespace', value: 1 },
    { delimiter: '|', value: 1, tags: 1, first_seen: 1, strip_port: true, inline_comment: [' #'], exclude_regex: '(a+)+(b|c)*$' },
  ]
  test.each(settings)('as CSV, read with %j, comes to an end', async (chosen) => {
    const { rows, summary, error } = await readWhole(`192.0.2.1\n${text}\n192.0.2.2\n`, 'CSV', chosen)
    expect(rows.length > 0 || summary !== undefined || error !== undefined).toBe(true)
    expect(rows.every(({ raw }) => raw.length <= CHARS)).toBe(true)
  })

  test.each(['array', 'ndjson', undefined] as const)('as JSON (%s) comes to an end', async (mode) => {
    const { summary, error } = await readWhole(`[${text}`, 'JSON', mode === undefined ? {} : { mode })
    expect(summary !== undefined || error !== undefined).toBe(true)
  })

  test('as a cell is no date, no kind and loses no port', () => {
    expect(tryParseFeedDate(text)).toBeUndefined()
    expect(createKindReader()(text)?.kind ?? 'UNSUPPORTED').toBe('UNSUPPORTED')
    expect(withoutPort(text)).toBe(text)
  })
})
