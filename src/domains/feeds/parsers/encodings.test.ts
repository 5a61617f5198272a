import { describe, expect, test } from 'vitest'
import type { ParserSettings } from '../parser-settings.ts'
import type { FeedRow } from './feed-row.ts'
import { type BodyFormat, readFeed } from './read-feed.ts'

const VALUE = 'evil.example.com'
const WORD = 'Bl\u00fcte \u2013 Gr\u00fc\u00dfe'

/** One value with a description that is not ASCII, in every format. */
const TEXTS: { format: BodyFormat; text: string; settings: ParserSettings }[] = [
  { format: 'CSV', text: `domain,note\n${VALUE},${WORD}\n`, settings: { description: 'note' } },
  { format: 'JSON', text: JSON.stringify([{ domain: VALUE, note: WORD }]), settings: { description: 'note' } },
  {
    format: 'STIX',
    text: JSON.stringify({
      type: 'bundle',
      objects: [
        { type: 'indicator', id: 'indicator--1', description: WORD, pattern: `[domain-name:value = '${VALUE}']`, pattern_type: 'stix' },
      ],
    }),
    settings: {},
  },
  {
    format: 'PULSE',
    text: JSON.stringify({ results: [{ name: WORD, indicators: [{ indicator: VALUE, type: 'domain' }] }] }),
    settings: {},
  },
]

/** The same text in Windows-1252: what is not Latin-1 has places of its own there. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('\u2013', '\u0096'), 'latin1')
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

async function rowsOf(bytes: Buffer, format: BodyFormat, settings: ParserSettings): Promise<{ rows: FeedRow[]; encoding: string }> {
  async function* source(): AsyncGenerator<Buffer> {
    // An odd size, so that characters are cut.
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  const rows: FeedRow[] = []
  const reading = readFeed(source(), format, settings)
  for (;;) {
    const { done, value } = await reading.next()
    if (done === true) return { rows, encoding: value.detected.encoding }
    rows.push(...value)
  }
}

describe.each(TEXTS)('$format', ({ format, text, settings }) => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'UTF-8',                                    bytes: Buffer.from(text),                           encoding: 'utf-8' },
    { title: 'UTF-8 with a byte-order mark',             bytes: Buffer.from(`\uFEFF${text}`),                encoding: 'utf-8' },
    { title: 'UTF-16 LE with a byte-order mark',         bytes: Buffer.from(`\uFEFF${text}`, 'utf16le'),     encoding: 'utf-16le' },
    { title: 'UTF-16 BE with a byte-order mark',         bytes: utf16be(`\uFEFF${text}`),                    encoding: 'utf-16be' },
    { title: 'UTF-16 LE, which shows itself',            bytes: Buffer.from(text, 'utf16le'),                encoding: 'utf-16le' },
    { title: 'UTF-16 BE, which shows itself',            bytes: utf16be(text),                               encoding: 'utf-16be' },
    { title: 'Windows-1252 by the setting',              bytes: windows1252(text),                           encoding: 'windows-1252', said: 'windows-1252' as const },
    { title: 'UTF-8 with a mark against the setting',    bytes: Buffer.from(`\uFEFF${text}`),                encoding: 'utf-8',        said: 'windows-1252' as const },
  ])('in $title gives the value and its words', async ({ bytes, encoding, said }) => {
    const read = await rowsOf(bytes, format, said === undefined ? settings : { ...settings, encoding: said })
    expect(read.rows).toMatchObject([{ raw: VALUE, description: WORD }])
    expect(read.encoding).toBe(encoding)
  })

  test('in Windows-1252 without the setting gives the value, and marks the words that cannot be read', async () => {
    const { rows } = await rowsOf(windows1252(text), format, settings)
    expect(rows).toMatchObject([{ raw: VALUE }])
    expect(rows[0]?.description).toMatch(/^Bl\uFFFDte \uFFFD Gr\uFFFD+e$/)
  })
})
