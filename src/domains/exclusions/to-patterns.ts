import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { Entry } from '#domains/warning-lists/warning-lists.model.ts'
import type { Pattern } from './exclusions.model.ts'
import { canCoverNames } from './parse-pattern.ts'

/** Entries of a warning list that no exclusion can say. */
export type SkippedEntries = { reason: string; count: number; example: string }

const ADDRESS_TYPES: readonly IndicatorType[] = ['IPV4', 'IPV6', 'NETWORK']

/**
 * The exclusions that a warning list amounts to. A host becomes the domain, which covers names alone: a list of well-known sites never silences a
 * URL on them. What is found by parts of a text is left out, since values have to be compared as they arrive.
 */
export function toPatterns(
  entries: readonly Entry[],
  appliesTo: readonly IndicatorType[],
): { patterns: Pattern[]; skipped: SkippedEntries[] } {
  const patterns = new Map<string, Pattern>()
  const skipped = new Map<string, SkippedEntries>()
  for (const { kind, entry } of entries) {
    const pattern = toPattern({ kind, entry }, appliesTo)
    if (typeof pattern !== 'string') {
      patterns.set(`${pattern.kind} ${pattern.value}`, pattern)
      continue
    }
    const known = skipped.get(pattern)
    skipped.set(pattern, { reason: pattern, count: (known?.count ?? 0) + 1, example: known?.example ?? entry })
  }
  return { patterns: [...patterns.values()], skipped: [...skipped.values()] }
}

/** @returns the reason where there is none */
function toPattern({ kind, entry }: Entry, appliesTo: readonly IndicatorType[]): Pattern | string {
  switch (kind) {
    case 'EXACT': {
      const verdict = normalizeIndicator(entry)
      if (!verdict.ok) return 'No IOC can have this value.'
      if (!appliesTo.includes(verdict.type)) return `The list does not speak of values of the type ${verdict.type}.`
      return { kind: 'VALUE', type: verdict.type, value: verdict.value }
    }
    case 'HOST':
      if (!appliesTo.includes('DOMAIN')) return 'The list does not speak of names.'
      return canCoverNames(entry)
        ? { kind: 'DOMAIN', type: null, value: entry }
        : 'A public suffix would silence a whole part of the name space.'
    case 'NETWORK':
      if (!appliesTo.some((type) => ADDRESS_TYPES.includes(type))) return 'The list does not speak of addresses.'
      return { kind: 'NETWORK', type: null, value: entry }
    case 'BELOW':
      return 'An exclusion of a domain covers the domain itself, and this entry does not.'
    case 'SUBSTRING':
    case 'PATTERN':
      return 'Parts of a text and patterns cannot be excluded.'
  }
}
