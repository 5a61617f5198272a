import { DomainError, type FieldError } from '#kernel/errors.ts'
import { compileLinearPattern, MAX_PATTERN_CHARS } from '#kernel/linear-pattern.ts'
import { PatternError } from '#kernel/pattern-syntax.ts'
import type { Delimiter, JsonMode, RowKind } from './parsers/feed-row.ts'
import { toKindWord } from './parsers/kind-word.ts'
import type { Encoding } from './parsers/text-decoder.ts'

/** A column by its name in the header (ignoring case) or its 1-based index; for JSON a field of the record, as a dot path. */
export type ColumnRef = string | number

/** Keeps the rows whose column is in a list, is not in one, or matches a pattern. Words are compared ignoring case. */
export type RowFilter = { col: ColumnRef; in?: string[]; not_in?: string[]; match?: string }

/**
 * How to read one feed. All optional: what is not said is detected from the first 200 rows.
 *
 * Source: docs/decisions/0004.
 */
export type ParserSettings = {
  delimiter?: Delimiter
  /** One character; empty when quotes mean nothing. Default `"`. */
  quote?: string
  /** Drop blanks around cells, also before an opening quote. Default true. */
  trim?: boolean
  /** Prefixes of comment lines. Default `#`, `;`, `//`. */
  comment?: string[]
  /** Text from which the rest of a line is a comment, such as ` #`. Default ` #` and ` ;` for plain lists, none for other files. */
  inline_comment?: string[]
  /** `comment`: the last commented line before the data names the columns. Default `auto`. */
  header?: 'auto' | 'none' | 'first' | 'comment'
  /** Several columns give several values a row. */
  value?: ColumnRef | ColumnRef[]
  /** A column, or one kind for the whole feed (`domain`, `sha256`). */
  type?: ColumnRef
  /** The feed's own words for kinds: `{"c2-ip": "IP", "file": "UNSUPPORTED"}`. */
  type_map?: Record<string, RowKind | 'IP_PORT'>
  /** Address column and prefix-length column, joined into a range. */
  cidr_from?: [ColumnRef, ColumnRef]
  /** `192.0.2.1:443` and `[2001:db8::1]:443` give the address. */
  strip_port?: boolean
  /** A column, or one severity for the whole feed. */
  severity?: ColumnRef
  first_seen?: ColumnRef
  last_seen?: ColumnRef
  tags?: ColumnRef | ColumnRef[]
  description?: ColumnRef
  filter?: RowFilter[]
  /** Values that match are left out, ignoring case. Only the first 4 096 characters of a value are looked at. */
  exclude_regex?: string
  mode?: JsonMode
  /** Dot path to the records, `*` for every element or member: `relays.*.or_addresses.*`. */
  items?: string
  /** What the body is packed in; the fetch unpacks it, under the byte limit. */
  archive?: 'none' | 'gzip'
  encoding?: Encoding
  /** STIX: takes observables (addresses, names, URLs, files) as values too, not indicators alone. Default false: they are often context. */
  observables?: boolean
}

/** Columns. Assumption: no list has more. */
const MAX_COLUMN = 1000
/** Characters of a column name or a word in a list. Assumption. */
const MAX_WORD_CHARS = 200
/** Entries of any list in the settings. Assumption. */
const MAX_ENTRIES = 100
/** Parts of an `items` path. Source: JSON depth limit of the reader. */
const MAX_PATH_PARTS = 16

// biome-ignore format: one table
const DELIMITER_WORDS: Record<string, Delimiter> = {
  ',': ',', comma: ',', ';': ';', semicolon: ';', '\t': '\t', '\\t': '\t', tab: '\t', '|': '|', pipe: '|', whitespace: 'whitespace', ' ': 'whitespace', none: 'none',
}
// biome-ignore format: one table
const ENCODING_WORDS: Record<string, Encoding> = {
  'utf-8': 'utf-8', utf8: 'utf-8', 'us-ascii': 'utf-8', ascii: 'utf-8', 'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', 'utf-16be': 'utf-16be',
  'windows-1252': 'windows-1252', cp1252: 'windows-1252', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252',
}

/** A sentence that completes "parser.x ...". */
class Refused extends Error {}

type Rule = (value: unknown) => unknown

const RULES: Record<keyof ParserSettings, Rule> = {
  delimiter: wordOf(DELIMITER_WORDS, 'must be one of , ; tab | whitespace none'),
  quote: (value) => textOf(value, 0, 1),
  trim: booleanOf,
  comment: (value) => listOf(value, (entry) => textOf(entry, 1, 16)),
  inline_comment: (value) => listOf(typeof value === 'string' ? [value] : value, (entry) => textOf(entry, 1, 16)),
  header: oneOf('auto', 'none', 'first', 'comment'),
  value: columnsOf,
  type: columnOf,
  type_map: typeMapOf,
  cidr_from: pairOf,
  strip_port: booleanOf,
  severity: columnOf,
  first_seen: columnOf,
  last_seen: columnOf,
  tags: columnsOf,
  description: columnOf,
  filter: (value) => listOf(value, filterOf),
  exclude_regex: patternOf,
  mode: oneOf('array', 'object_values', 'ndjson'),
  items: itemsOf,
  archive: oneOf('none', 'gzip'),
  encoding: wordOf(ENCODING_WORDS, 'must be one of utf-8, utf-16le, utf-16be, windows-1252'),
  observables: booleanOf,
}

/**
 * The settings as they will be used; `null`, for the object or for one of its settings, means that it is not set.
 *
 * @throws DomainError validation_failed, with one entry per refused setting (`parser.delimiter`)
 */
export function validateParserSettings(input: unknown): ParserSettings {
  if (input === undefined || input === null) return {}
  if (!isRecord(input)) throw refused([{ field: 'parser', code: 'invalid', message: 'must be an object' }])
  const settings: Record<string, unknown> = {}
  const problems: FieldError[] = []
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(RULES, name)) {
      problems.push({ field: `parser.${name.slice(0, MAX_WORD_CHARS)}`, code: 'unknown', message: 'is not a parser setting' })
      continue
    }
    if (value === null || value === undefined) continue
    try {
      // Checked by hasOwn above, which does not narrow a key.
      settings[name] = RULES[name as keyof ParserSettings](value)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      problems.push({ field: `parser.${name}`, code: 'invalid', message: error.message })
    }
  }
  if (settings['cidr_from'] !== undefined && settings['value'] !== undefined) {
    problems.push({ field: 'parser.cidr_from', code: 'invalid', message: 'cannot stand beside "value": it is the value' })
  }
  if (problems.length > 0) throw refused(problems)
  // Each setting has passed the rule of its own type above.
  return settings as ParserSettings
}

function refused(problems: FieldError[]): DomainError {
  const first = problems[0]
  return new DomainError(
    'validation_failed',
    `The parser settings cannot be used: ${first?.field ?? 'parser'} ${first?.message ?? 'is invalid'}.`,
    problems,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function booleanOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Refused('must be true or false')
  return value
}

function textOf(value: unknown, minChars: number, maxChars: number): string {
  if (typeof value !== 'string' || value.length < minChars || value.length > maxChars || value.includes('\n')) {
    throw new Refused(`must be a text of ${minChars} to ${maxChars} characters`)
  }
  return value
}

function oneOf(...words: readonly string[]): Rule {
  return wordOf(Object.fromEntries(words.map((word) => [word, word])), `must be one of ${words.join(', ')}`)
}

function wordOf(words: Record<string, string>, message: string): Rule {
  return (value) => {
    const word = typeof value === 'string' ? value.toLowerCase() : ''
    const known = Object.hasOwn(words, word) ? words[word] : undefined
    if (known === undefined) throw new Refused(message)
    return known
  }
}

function listOf<T>(value: unknown, entryOf: (entry: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) throw new Refused(`must be a list of at most ${MAX_ENTRIES}`)
  return value.map((entry) => entryOf(entry))
}

function columnOf(value: unknown): ColumnRef {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COLUMN) return value
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_WORD_CHARS) return value
  throw new Refused(`must be a column name, or a column number from 1 to ${MAX_COLUMN}`)
}

function columnsOf(value: unknown): ColumnRef | ColumnRef[] {
  if (!Array.isArray(value)) return columnOf(value)
  if (value.length === 0) throw new Refused('must name at least one column')
  return listOf(value, columnOf)
}

function pairOf(value: unknown): [ColumnRef, ColumnRef] {
  if (!Array.isArray(value) || value.length !== 2) throw new Refused('must be two columns: the address and its prefix length')
  return [columnOf(value[0]), columnOf(value[1])]
}

function typeMapOf(value: unknown): Record<string, RowKind | 'IP_PORT'> {
  if (!isRecord(value) || Object.keys(value).length > MAX_ENTRIES) throw new Refused(`must be an object of at most ${MAX_ENTRIES} words`)
  const map: [string, RowKind | 'IP_PORT'][] = Object.entries(value).map(([word, kind]) => [word.trim().toLowerCase(), mappedKindOf(kind)])
  return Object.fromEntries(map)
}

function mappedKindOf(value: unknown): RowKind | 'IP_PORT' {
  const known = typeof value === 'string' ? toKindWord(value) : undefined
  if (known === undefined) throw new Refused('must map to IPV4, IPV6, IP, IP_PORT, NETWORK, DOMAIN, URL, HASH, EMAIL or UNSUPPORTED')
  return known.port ? 'IP_PORT' : known.kind
}

function patternOf(value: unknown): string {
  const pattern = textOf(value, 1, MAX_PATTERN_CHARS)
  try {
    compileLinearPattern(pattern)
  } catch (error) {
    if (error instanceof PatternError) throw new Refused(`cannot be used: ${error.message}`)
    throw error
  }
  return pattern
}

function filterOf(value: unknown): RowFilter {
  if (!isRecord(value)) throw new Refused('must be a list of {"col", "in" | "not_in" | "match"}')
  const { col, in: wanted, not_in: unwanted, match, ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Refused(`has an entry with the unknown key "${other.slice(0, MAX_WORD_CHARS)}"`)
  if (wanted === undefined && unwanted === undefined && match === undefined)
    throw new Refused('has an entry without "in", "not_in" or "match"')
  const word = (entry: unknown) => textOf(entry, 0, MAX_WORD_CHARS)
  return {
    col: columnOf(col),
    ...(wanted === undefined ? {} : { in: listOf(wanted, word) }),
    ...(unwanted === undefined ? {} : { not_in: listOf(unwanted, word) }),
    ...(match === undefined ? {} : { match: patternOf(match) }),
  }
}

function itemsOf(value: unknown): string {
  const path = textOf(value, 1, MAX_WORD_CHARS)
  const parts = path.split('.')
  if (parts.length > MAX_PATH_PARTS || parts.includes(''))
    throw new Refused(`must be a dot path of at most ${MAX_PATH_PARTS} parts, such as data.*.ioc`)
  return path
}
