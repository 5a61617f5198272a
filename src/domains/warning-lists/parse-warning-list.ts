import { INDICATOR_TYPES, type IndicatorType } from '#domains/indicators/indicators.model.ts'
import { refuseField } from '#kernel/errors.ts'
import { toEntry } from './to-entry.ts'
import {
  type Entry,
  LIST_MAX_ENTRIES,
  PATTERNS_MAX,
  type SkipCode,
  type Skipped,
  SUBSTRINGS_MAX,
  WARNING_LIST_TYPES,
  type WarningListType,
} from './warning-lists.model.ts'

/** A list as it is published; nothing about it has been checked. */
export type PublishedList = {
  name: string
  type: string
  list: readonly unknown[]
  description?: string
  version?: number | string
  matching_attributes?: readonly string[]
}

/** A list with its entries in their normal form, each once. */
export type ParsedList = {
  name: string
  description: string | null
  type: WarningListType
  list_version: number | null
  applies_to: IndicatorType[]
  entries: Entry[]
  skipped: Skipped[]
}

/** Characters of a skipped entry that are shown. */
const EXAMPLE_CHARACTERS = 100

/** Which of MISP's attributes each kind of indicator is. Parts of a compound attribute, such as `domain|ip`, count one by one. */
const ATTRIBUTES: Record<IndicatorType, RegExp> = {
  IPV4: /^ip(-src|-dst)?$/,
  IPV6: /^ip(-src|-dst)?$/,
  NETWORK: /^ip(-src|-dst)?$/,
  DOMAIN: /^(domain|hostname)$/,
  URL: /^(url|uri|link)$/,
  HASH: /^(md5|sha1|sha256|sha512)$/,
  EMAIL: /^(email|email-src|email-dst|email-reply-to|target-email|whois-registrant-email)$/,
}

/**
 * Reads a warning list in the format of MISP. An entry that cannot be compared is skipped and counted; it never costs the others.
 *
 * @throws validation_failed for a list that could never say anything
 */
export function parseWarningList(published: PublishedList): ParsedList {
  const name = published.name.trim()
  if (name === '') throw refuseField('name', 'The list has no name.')
  const type = WARNING_LIST_TYPES.find((word) => word === published.type.toUpperCase())
  if (type === undefined)
    throw refuseField(
      'type',
      `"${published.type.slice(0, 40)}" is not a type of warning list; the types are ${WARNING_LIST_TYPES.join(', ').toLowerCase()}.`,
    )
  const appliesTo = kindsOf(published.matching_attributes)
  if (appliesTo.length === 0) throw refuseField('matching_attributes', `The list "${name}" speaks only of kinds that are not held here.`)
  const { entries, skipped } = gatherEntries(type, published.list)
  if (entries.length === 0) throw refuseField('list', `The list "${name}" has no entry that can be compared with a value.`)
  const version = Number(published.version)
  return {
    name,
    description: published.description?.trim() || null,
    type,
    list_version: Number.isSafeInteger(version) && version >= 0 ? version : null,
    applies_to: appliesTo,
    entries,
    skipped,
  }
}

/** A list that names no attribute speaks of everything. */
function kindsOf(attributes: readonly string[] | undefined): IndicatorType[] {
  if (attributes === undefined || attributes.length === 0) return [...INDICATOR_TYPES]
  const parts = attributes.flatMap((attribute) => attribute.toLowerCase().split('|'))
  return INDICATOR_TYPES.filter((kind) => parts.some((part) => ATTRIBUTES[kind].test(part)))
}

/** Entries of one list, by type: those that cannot be found by equality cost more. */
const MAX_ENTRIES: Record<WarningListType, number> = {
  CIDR: LIST_MAX_ENTRIES,
  HOSTNAME: LIST_MAX_ENTRIES,
  STRING: LIST_MAX_ENTRIES,
  SUBSTRING: SUBSTRINGS_MAX,
  REGEX: PATTERNS_MAX,
}

function gatherEntries(type: WarningListType, list: readonly unknown[]): { entries: Entry[]; skipped: Skipped[] } {
  const entries = new Map<string, Entry>()
  const skipped = new Map<SkipCode, Skipped>()
  const max = MAX_ENTRIES[type]
  for (const raw of list) {
    const verdict =
      entries.size >= max
        ? ({ ok: false, code: 'too_many', reason: `A list of this type may have ${max} entries.` } as const)
        : toEntry(type, raw)
    if (verdict.ok) entries.set(`${verdict.kind} ${verdict.entry}`, { kind: verdict.kind, entry: verdict.entry })
    else {
      const { code, reason } = verdict
      const example = (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')).slice(0, EXAMPLE_CHARACTERS)
      const known = skipped.get(code)
      if (known === undefined) skipped.set(code, { code, count: 1, reason, example })
      else known.count++
    }
  }
  return { entries: [...entries.values()], skipped: [...skipped.values()].sort((first, second) => second.count - first.count) }
}
