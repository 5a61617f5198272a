/** How a list compares its entries. Source: MISP warning lists, `type`. */
export const WARNING_LIST_TYPES = ['CIDR', 'HOSTNAME', 'STRING', 'SUBSTRING', 'REGEX'] as const
export type WarningListType = (typeof WARNING_LIST_TYPES)[number]

/** How one entry is compared; migration 0010 explains each. */
export const ENTRY_KINDS = ['EXACT', 'HOST', 'BELOW', 'NETWORK', 'SUBSTRING', 'PATTERN'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** An entry in its normal form. */
export type Entry = { kind: EntryKind; entry: string }

/** Why an entry is not held. */
export const SKIP_CODES = [
  'not_text',
  'too_long',
  'too_many',
  'not_a_network',
  'covers_everything',
  'not_a_host',
  'not_an_indicator',
  'too_short',
  'pattern_not_linear',
] as const
export type SkipCode = (typeof SKIP_CODES)[number]
/** Entries that are not held, by reason, with the first of them. */
export type Skipped = { code: SkipCode; count: number; reason: string; example: string }

/** Lists that are held. Assumption: the public collection has about 120. */
export const LISTS_MAX = 500
/** Bytes of one file. Assumption: the largest public list, a million names, has about 25 MB. */
export const LIST_FILE_MAX_BYTES = 32 * 1024 * 1024
/** Entries of one list. Source: the largest public lists name the million most visited sites. */
export const LIST_MAX_ENTRIES = 1_000_000
/** Bytes of one entry. Assumption: longer ones are mistakes; an index entry may have 2704. */
export const ENTRY_MAX_BYTES = 1000
/** Entries of one list that are compared with every part of a value. Assumption: the largest public one has about 6000. */
export const SUBSTRINGS_MAX = 20_000
/** Characters of the shortest of those; anything shorter is found everywhere. Assumption. */
export const SUBSTRING_MIN_CHARACTERS = 4
/** Characters of the longest: bounds the places of a value times the lengths to try there. Assumption. */
export const SUBSTRING_MAX_CHARACTERS = 100
/** Patterns of one list. Assumption: the public ones have one or two. */
export const PATTERNS_MAX = 20
/** Warnings that are told of one value. Assumption: more say nothing more. */
export const WARNINGS_PER_VALUE = 20
