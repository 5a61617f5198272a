import { expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { validateParserSettings } from './parser-settings.ts'

function refusedFields(input: unknown): string[] {
  try {
    validateParserSettings(input)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'validation_failed') return error.fields.map((field) => field.field)
    throw error
  }
  return []
}

test('nothing set is nothing decided', () => {
  expect(validateParserSettings(undefined)).toEqual({})
  expect(validateParserSettings(null)).toEqual({})
  expect(validateParserSettings({ value: null, trim: undefined })).toEqual({})
})

test('a full set of settings comes back as it will be used', () => {
  const settings = {
    delimiter: ',',
    quote: "'",
    trim: false,
    comment: ['#'],
    inline_comment: [' #'],
    header: 'comment',
    value: ['ioc', 3],
    type: 'ioc_type',
    severity: 'HIGH',
    first_seen: 1,
    last_seen: 'last',
    tags: ['tags', 'family'],
    description: 'what',
    strip_port: true,
    filter: [
      { col: 'status', in: ['online'] },
      { col: 2, not_in: ['x'], match: '^a' },
    ],
    exclude_regex: '^www\\.',
    mode: 'array',
    items: 'data.*.ioc',
    archive: 'gzip',
    encoding: 'utf-8',
  }
  expect(validateParserSettings(settings)).toEqual(settings)
})

// biome-ignore format: one case per line
test.each([
  { title: 'a tab by its name',                  input: { delimiter: 'tab' },                         want: { delimiter: '\t' } },
  { title: 'a tab as people type it',            input: { delimiter: '\\t' },                         want: { delimiter: '\t' } },
  { title: 'words in capitals',                  input: { header: 'FIRST', encoding: 'Latin1' },      want: { header: 'first', encoding: 'windows-1252' } },
  { title: 'one inline comment without a list',  input: { inline_comment: ' ;' },                     want: { inline_comment: [' ;'] } },
  { title: 'kinds by any of their words',        input: { type_map: { 'C2 IP': 'ip:port', H: 'md5', f: 'unsupported' } }, want: { type_map: { 'c2 ip': 'IP_PORT', h: 'HASH', f: 'UNSUPPORTED' } } },
  { title: 'quotes switched off',                input: { quote: '' },                                want: { quote: '' } },
])('$title is accepted', ({ input, want }) => expect(validateParserSettings(input)).toEqual(want))

// biome-ignore format: one case per line
test.each([
  { title: 'something that is no object',         input: 'value=1',                                    want: ['parser'] },
  { title: 'a list',                              input: [],                                           want: ['parser'] },
  { title: 'an unknown setting',                  input: { separator: ',' },                           want: ['parser.separator'] },
  { title: 'a prototype key',                     input: JSON.parse('{"__proto__": {"value": 1}}'),    want: ['parser.__proto__'] },
  { title: 'an inherited name',                   input: { constructor: 1 },                           want: ['parser.constructor'] },
  { title: 'an unknown delimiter',                input: { delimiter: '::' },                          want: ['parser.delimiter'] },
  { title: 'a quote of two characters',           input: { quote: '""' },                              want: ['parser.quote'] },
  { title: 'a truth value as text',               input: { trim: 'yes' },                              want: ['parser.trim'] },
  { title: 'a comment that is no list',           input: { comment: '#' },                             want: ['parser.comment'] },
  { title: 'an empty comment prefix',             input: { comment: [''] },                            want: ['parser.comment'] },
  { title: 'an unknown header word',              input: { header: 'second' },                         want: ['parser.header'] },
  { title: 'column 0',                            input: { value: 0 },                                 want: ['parser.value'] },
  { title: 'half a column',                       input: { value: 1.5 },                               want: ['parser.value'] },
  { title: 'no column at all',                    input: { value: [] },                                want: ['parser.value'] },
  { title: 'an empty column name',                input: { type: ' ' },                                want: ['parser.type'] },
  { title: 'a kind that does not exist',          input: { type_map: { a: 'NONSENSE' } },              want: ['parser.type_map'] },
  { title: 'a range of one column',               input: { cidr_from: [1] },                           want: ['parser.cidr_from'] },
  { title: 'a range beside a value',              input: { cidr_from: [1, 2], value: 1 },              want: ['parser.cidr_from'] },
  { title: 'a filter without a test',             input: { filter: [{ col: 1 }] },                     want: ['parser.filter'] },
  { title: 'a filter with an unknown key',        input: { filter: [{ col: 1, equals: 'x' }] },        want: ['parser.filter'] },
  { title: 'a filter pattern that cannot be run', input: { filter: [{ col: 1, match: '(' }] },         want: ['parser.filter'] },
  { title: 'an exclude that cannot be run',       input: { exclude_regex: '(a)\\1' },                  want: ['parser.exclude_regex'] },
  { title: 'an exclude that is too long',         input: { exclude_regex: 'a'.repeat(300) },           want: ['parser.exclude_regex'] },
  { title: 'an unknown mode',                     input: { mode: 'xml' },                              want: ['parser.mode'] },
  { title: 'a path with an empty part',           input: { items: 'a..b' },                            want: ['parser.items'] },
  { title: 'an archive that is not read',         input: { archive: 'rar' },                           want: ['parser.archive'] },
  { title: 'an unknown encoding',                 input: { encoding: 'ebcdic' },                       want: ['parser.encoding'] },
  { title: 'two mistakes are both named',         input: { trim: 1, mode: 2 },                         want: ['parser.trim', 'parser.mode'] },
])('$title is refused by name', ({ input, want }) => expect(refusedFields(input)).toEqual(want))
