import { describe, expect, test } from 'vitest'
import { CopyRows } from './copy-binary.ts'

const written = (write: (rows: CopyRows) => void): string => {
  const rows = new CopyRows()
  write(rows)
  return Buffer.from(rows.slice(0, rows.length)).toString('hex')
}
const join = (pieces: Iterable<Uint8Array>): string => Buffer.concat([...pieces]).toString('latin1')
const HEADER = 'PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0'
const END = '\xff\xff'

// Source: PostgreSQL 16, "COPY", binary format, and the `send` functions of the types.
// biome-ignore format: one case per line
test.each<[string, (rows: CopyRows) => void, string]>([
  ['the number of columns',                   (rows) => rows.begin(3),                         '0003'],
  ['null',                                    (rows) => rows.null(),                           'ffffffff'],
  ['a text in bytes, not in characters',      (rows) => rows.text('né'),                       '00000003 6ec3a9'],
  ['no text',                                 (rows) => rows.text(undefined),                  'ffffffff'],
  ['an empty text',                           (rows) => rows.text(''),                         '00000000'],
  ['jsonb behind its version',                (rows) => rows.jsonb('{}'),                      '00000003 01 7b7d'],
  ['no jsonb',                                (rows) => rows.jsonb(undefined),                 'ffffffff'],
  ['true',                                    (rows) => rows.boolean(true),                    '00000001 01'],
  ['a double',                                (rows) => rows.double(9.8),                      '00000008 402399999999999a'],
  ['no double',                               (rows) => rows.double(undefined),                'ffffffff'],
  ['an integer',                              (rows) => rows.integer(-2),                      '00000004 fffffffe'],
  ['a moment in microseconds since 2000',     (rows) => rows.moment(new Date('2000-01-01T00:00:00.001Z')), '00000008 00000000000003e8'],
  ['a moment before 2000',                    (rows) => rows.moment(new Date('1999-12-31T23:59:59.999Z')), '00000008 fffffffffffffc18'],
  ['an empty array without a dimension',      (rows) => rows.texts([]),                        '0000000c 00000000 00000000 00000019'],
  ['an array',                                (rows) => rows.texts(['a', '']),                 '0000001d 00000001 00000000 00000019 00000002 00000001 00000001 61 00000000'],
  ['no words',                                (rows) => rows.words([]),                        '00000004 00000000'],
  ['words without their places',              (rows) => rows.words(['ab', 'c']),               '0000000d 00000002 616200 0000 6300 0000'],
])('writes %s', (_, write, bytes) => expect(written(write)).toBe(bytes.replaceAll(' ', '')))

describe('rows', () => {
  const threeRows = (text: string) => {
    const rows = new CopyRows()
    const places = ['a', 'b', 'c'].map((letter) => {
      const from = rows.length
      rows.begin(1)
      rows.text(letter + text)
      return { from, to: rows.length }
    })
    return { rows, places }
  }

  test('are given between the header and the end, and none are none', () => {
    const { rows, places } = threeRows('')
    expect(join(rows.pieces(places))).toBe(`${HEADER}\0\x01\0\0\0\x01a\0\x01\0\0\0\x01b\0\x01\0\0\0\x01c${END}`)
    expect(join(rows.pieces([]))).toBe(HEADER + END)
  })

  test('are given in the order that is asked for, without those that are not', () => {
    const { rows, places } = threeRows('')
    const [first, , last] = places
    expect(join(rows.pieces([last, first].filter((place) => place !== undefined)))).toBe(
      `${HEADER}\0\x01\0\0\0\x01c\0\x01\0\0\0\x01a${END}`,
    )
  })

  test('go together in pieces as long as they are short', () => {
    const lengths = (text: string) => {
      const { rows, places } = threeRows(text)
      return [...rows.pieces(places)].length
    }
    expect([lengths(''), lengths('x'.repeat(60_000))]).toEqual([3, 5])
  })

  test('outgrow their first memory, and leave it clean for others', () => {
    const { rows, places } = threeRows('é'.repeat(100_000))
    const whole = join(rows.pieces(places))
    expect(whole).toHaveLength(HEADER.length + END.length + 3 * (6 + 200_001))
    rows.clear()
    rows.text('z')
    expect(Buffer.from(rows.slice(0, rows.length)).toString('hex')).toBe('000000017a')
  })

  test('can be written over where they stand', () => {
    const rows = new CopyRows()
    rows.integer(1)
    rows.integer(2)
    rows.overwrite(4, Buffer.from([0, 0, 0, 9]))
    expect(Buffer.from(rows.slice(0, rows.length)).toString('hex')).toBe('00000004000000090000000400000002')
  })
})
