import { describe, expect, test } from 'vitest'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import { DomainError } from '#kernel/errors.ts'
import { type PublishedList, parseWarningList } from './parse-warning-list.ts'
import { readPublished } from './read-published.ts'
import { PATTERNS_MAX, SUBSTRINGS_MAX } from './warning-lists.model.ts'

const LIST: PublishedList = { name: 'A list', type: 'hostname', list: ['a.example.com'] }

describe('the kinds that a list speaks of', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'no attribute means all of them', attributes: undefined,                          kinds: [...INDICATOR_TYPES] },
    { title: 'nor does an empty list',         attributes: [],                                 kinds: [...INDICATOR_TYPES] },
    { title: 'addresses',                      attributes: ['ip-src', 'ip-dst|port'],          kinds: ['IPV4', 'IPV6', 'NETWORK'] },
    { title: 'both parts of a compound',       attributes: ['domain|ip'],                      kinds: ['IPV4', 'IPV6', 'NETWORK', 'DOMAIN'] },
    { title: 'hashes beside a file name',      attributes: ['filename|sha256'],                kinds: ['HASH'] },
    { title: 'addresses of senders',           attributes: ['email-src', 'whois-registrant-email'], kinds: ['EMAIL'] },
    { title: 'kinds that are not held are passed over', attributes: ['filename', 'url', 'mutex'], kinds: ['URL'] },
  ])('$title', ({ attributes, kinds }) => {
    expect(parseWarningList({ ...LIST, ...(attributes === undefined ? {} : { matching_attributes: attributes }) }).applies_to).toEqual(kinds)
  })
})

describe('a list', () => {
  test('holds each entry once, and keeps its name, description and version', () => {
    expect(
      parseWarningList({
        ...LIST,
        name: ' A list ',
        description: ' Some hosts. ',
        version: 20240615,
        list: ['a.example.com', 'A.example.com', 'b.example.com'],
      }),
    ).toEqual({
      name: 'A list',
      description: 'Some hosts.',
      type: 'HOSTNAME',
      list_version: 20_240_615,
      applies_to: [...INDICATOR_TYPES],
      entries: [
        { kind: 'HOST', entry: 'a.example.com' },
        { kind: 'HOST', entry: 'b.example.com' },
      ],
      skipped: [],
    })
  })

  test.each([
    { version: '7', want: 7 },
    { version: 'spring', want: null },
    { version: -1, want: null },
    { version: undefined, want: null },
  ])('of version $version is numbered $want', ({ version, want }) => {
    expect(parseWarningList({ ...LIST, ...(version === undefined ? {} : { version }) }).list_version).toBe(want)
  })

  test.each([
    { type: 'substring', max: SUBSTRINGS_MAX, entry: (n: number) => `part-${n}` },
    { type: 'regex', max: PATTERNS_MAX, entry: (n: number) => `^a{${n % 90}}b${n}` },
  ])('of type $type with too many entries holds $max and counts the others', ({ type, max, entry }) => {
    const { entries, skipped } = parseWarningList({ ...LIST, type, list: Array.from({ length: max + 3 }, (_, n) => entry(n)) })
    expect(entries).toHaveLength(max)
    expect(skipped).toMatchObject([{ code: 'too_many', count: 3 }])
  })

  test.each([
    { title: 'without a name', list: { ...LIST, name: ' ' }, field: 'name' },
    { title: 'of an unknown type', list: { ...LIST, type: 'bloom' }, field: 'type' },
    { title: 'of kinds that are not held', list: { ...LIST, matching_attributes: ['filename'] }, field: 'matching_attributes' },
    { title: 'without a usable entry', list: { ...LIST, list: ['com', 7] }, field: 'list' },
  ])('$title is refused', ({ list, field }) => {
    expect(() => parseWarningList(list)).toThrow(
      expect.objectContaining({ code: 'validation_failed', fields: [expect.objectContaining({ field })] }),
    )
  })
})

describe('the text of a file', () => {
  test('gives the fields of the format and ignores others', () => {
    expect(
      readPublished(
        '\ufeff{"name":"n","type":"cidr","list":["198.51.100.0/24",7],"version":3,"matching_attributes":["ip-src",9],"icon":"x"}',
      ),
    ).toEqual({
      name: 'n',
      type: 'cidr',
      list: ['198.51.100.0/24', 7],
      version: 3,
      matching_attributes: ['ip-src'],
    })
  })

  test.each([
    '',
    'name',
    '[]',
    'null',
    '{"name":"n","type":"cidr"}',
    '{"name":7,"type":"cidr","list":[]}',
    '{"name":"n","list":[]}',
    '[{"name":"n"}',
  ])('%s is no warning list', (text) => expect(() => readPublished(text)).toThrow(DomainError))
})
