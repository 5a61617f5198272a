import type { IndicatorType, WarningMatch } from '#domains/indicators/indicators.model.ts'
import { compileLinearPattern, type LinearPattern } from '#kernel/linear-pattern.ts'
import { SUBSTRING_MIN_CHARACTERS } from './warning-lists.model.ts'

/** A list whose entries are compared with parts of a text. */
export type TextList = { id: string; type: 'SUBSTRING' | 'REGEX'; applies_to: readonly IndicatorType[]; entries: readonly string[] }
export type TextMatch = { list_id: string; match: WarningMatch; entry: string }
/** The lists that one value stands on, with the first entry of each that was found. */
export type TextMatcher = (type: IndicatorType, value: string) => TextMatch[]

/** Prepares lists for many values. The cost of a value grows with its length, and hardly with the number of entries. */
export function createTextMatcher(lists: readonly TextList[]): TextMatcher {
  const finders = lists.map(({ id, type, applies_to, entries }) => ({
    id,
    match: type === 'SUBSTRING' ? ('substring' as const) : ('pattern' as const),
    appliesTo: new Set(applies_to),
    find: type === 'SUBSTRING' ? substringFinder(entries) : patternFinder(entries),
  }))
  return (type, value) => {
    const text = value.toLowerCase()
    return finders.flatMap(({ id, match, appliesTo, find }) => {
      const entry = appliesTo.has(type) ? find(text) : undefined
      return entry === undefined ? [] : [{ list_id: id, match, entry }]
    })
  }
}

type Finder = (text: string) => string | undefined

/**
 * At each place of the text, the first characters say which lengths to try, and each length is one look into a set: thousands of entries cost
 * hardly more than one, also when all of them begin alike.
 */
function substringFinder(entries: readonly string[]): Finder {
  const known = new Set(entries)
  const lengthsByHead = new Map(
    [...Map.groupBy(entries, (entry) => entry.slice(0, SUBSTRING_MIN_CHARACTERS))].map(([head, alike]) => [
      head,
      [...new Set(alike.map(({ length }) => length))],
    ]),
  )
  return (text) => {
    for (let at = 0; at + SUBSTRING_MIN_CHARACTERS <= text.length; at++) {
      const lengths = lengthsByHead.get(text.slice(at, at + SUBSTRING_MIN_CHARACTERS)) ?? []
      const length = lengths.find((tried) => known.has(text.slice(at, at + tried)))
      if (length !== undefined) return text.slice(at, at + length)
    }
    return undefined
  }
}

function patternFinder(entries: readonly string[]): Finder {
  const patterns: { entry: string; pattern: LinearPattern }[] = entries.map((entry) => ({ entry, pattern: compileLinearPattern(entry) }))
  return (text) => patterns.find(({ pattern }) => pattern.matches(text))?.entry
}
