import { toVersionParts, type VersionParts, type WordPart } from './version-parts.ts'

/**
 * Below 0 when `first` comes before `second`, 0 when they are the same release, above 0 otherwise. A total order over any two texts.
 *
 * Numbers compare as numbers and missing ones are 0; then the word behind them decides: before a release come dev, alpha, beta, milestone,
 * preview and rc, after it come letters and patches, and any further number above 0 comes after those.
 *
 * Source: docs/decisions/0016.
 */
export function compareVersions(first: string, second: string): number {
  return compareParts(toVersionParts(first), toVersionParts(second))
}

/** The same order over versions that have been taken apart. */
export function compareParts(first: VersionParts, second: VersionParts): number {
  const numbers = compareNumbers(first.numbers, second.numbers)
  if (numbers !== 0) return numbers
  const length = Math.max(first.words.length, second.words.length)
  for (let at = 0; at < length; at++) {
    const order = compareWordParts(first.words[at], second.words[at])
    if (order !== 0) return order
  }
  return 0
}

/** Nothing at all stands where rank 0 is: after `rc`, before `k`. */
function compareWordParts(first: WordPart | undefined, second: WordPart | undefined): number {
  const ranks = (first?.rank ?? 0) - (second?.rank ?? 0)
  if (ranks !== 0 || first === undefined || second === undefined) return ranks
  // Below the release the rank is the word; above it `z` comes before `za`.
  if (first.rank > 0 && first.word !== second.word) return first.word < second.word ? -1 : 1
  return compareNumbers(first.numbers, second.numbers)
}

function compareNumbers(first: readonly string[], second: readonly string[]): number {
  const length = Math.max(first.length, second.length)
  for (let at = 0; at < length; at++) {
    const a = first[at] ?? '0'
    const b = second[at] ?? '0'
    if (a === b) continue
    if (a.length !== b.length) return a.length - b.length
    return a < b ? -1 : 1
  }
  return 0
}
