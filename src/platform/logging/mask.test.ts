import { expect, test } from 'vitest'
import { createMask } from './mask.ts'
import { reasonOf } from './reason-of.ts'

const SECRET = 'p4$$(w)ord/+"\\ä|x'

// biome-ignore format: one case per line
test.each([
  { title: 'as it is',                      text: SECRET },
  { title: 'percent-encoded',               text: encodeURIComponent(SECRET) },
  { title: 'as base64',                     text: Buffer.from(SECRET).toString('base64') },
  { title: 'inside JSON',                   text: JSON.stringify(SECRET).slice(1, -1) },
])('a secret is masked $title', ({ text }) => expect(createMask([SECRET])(`before ${text} after`)).toBe('before *** after'))

test('a line of the log stays JSON', () => {
  const line = JSON.stringify({ event: 'x', reason: `refused: ${SECRET}` })
  expect(JSON.parse(createMask([SECRET])(line))).toEqual({ event: 'x', reason: 'refused: ***' })
})

test('of two secrets the longer one goes first, and words shorter than 8 characters stay', () => {
  expect(createMask(['secret-1', 'secret-1-and-more', 'svc'])('svc secret-1-and-more secret-1')).toBe('svc *** ***')
})

test('the reason of a database error has its code and names, and none of its values', () => {
  const error = Object.assign(new Error('invalid input syntax for type uuid: "what somebody typed"'), {
    severity: 'ERROR',
    code: '22P02',
    table: 'users',
    constraint: undefined,
    routine: 'string_to_uuid',
    detail: 'Key (username)=(what somebody typed) already exists.',
  })
  expect(reasonOf(error)).toBe('SQLSTATE 22P02 users string_to_uuid')
})

test('the reason of another error is its first line, cut', () => {
  expect(reasonOf(new Error(`one\ntwo`))).toBe('one')
  expect(reasonOf(new Error('x'.repeat(1000)))).toHaveLength(300)
  expect(reasonOf('thrown text')).toBe('Something that is no error was thrown.')
})
