import { expect, test } from 'vitest'
import { readEnvelope } from './envelope.ts'

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const large = `{"more":true,"objects":[${Array.from({ length: 20_000 }, (_, n) => `{"type":"indicator","more":false,"next":"inner","n":"é${n}${'x'.repeat(60)}"}`).join(',')}],"next":"after"}`

test.each([
  { title: 'nothing', text: '{}', want: { more: undefined, next: undefined, isEmpty: true } },
  { title: 'no objects', text: '{"more": false, "objects": [ ]}', want: { more: false, next: undefined, isEmpty: true } },
  { title: 'a number as next', text: '{"next": 20, "more": true, "objects": [{}]}', want: { more: true, next: '20', isEmpty: false } },
  { title: 'an empty or strange next', text: '{"next": "", "objects": [{}]}', want: { more: undefined, next: undefined, isEmpty: false } },
  {
    title: 'escapes in next',
    text: '{"n\\u0065xt": "a\\"\\u00e9", "objects": [{}]}',
    want: { more: undefined, next: 'a"é', isEmpty: false },
  },
  { title: 'words for more', text: '{"more": "yes", "objects": [{}]}', want: { more: undefined, next: undefined, isEmpty: false } },
  { title: 'objects of 2 MB with such members inside', text: large, want: { more: true, next: 'after', isEmpty: false } },
])('an envelope with $title is read', async ({ text, want }) => {
  expect(await readEnvelope(pieces(text, 1009))).toEqual(want)
})

test.each(['', '[]', 'null', '<html>', '{"more": true', '{"objects": [{}]} x'])('%j is no envelope', async (text) => {
  await expect(readEnvelope(pieces(text, 4))).rejects.toMatchObject({ code: 'feed_malformed' })
})
