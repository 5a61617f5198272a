import { expect, test } from 'vitest'
import { readPulseEnvelope } from './envelope.ts'

async function* bytes(text: string): AsyncGenerator<Buffer> {
  for (const char of text) yield Buffer.from(char)
}

// biome-ignore format: one case per line
test.each([
  { title: 'the last page',               text: '{"results": [], "count": 0, "next": null}',                    count: 0,         next: undefined },
  { title: 'a page before others',        text: '{"count": 7, "results": [{"next": "x"}], "next": "https://a/?page=2"}', count: 7, next: 'https://a/?page=2' },
  { title: 'neither',                     text: '{"results": [1]}',                                             count: undefined, next: undefined },
  { title: 'a count that is none',        text: '{"count": "many", "next": ""}',                                count: undefined, next: undefined },
  { title: 'a next that is no link',      text: '{"next": 2}',                                                  count: undefined, next: '2' },
])('$title', async ({ text, count, next }) => {
  expect(await readPulseEnvelope(bytes(text))).toEqual({ count, next })
})

test.each(['', '{"count": 1', '[1]x', '"text"'])('%j is no page', async (text) => {
  await expect(readPulseEnvelope(bytes(text))).rejects.toMatchObject({ code: 'feed_malformed' })
})
