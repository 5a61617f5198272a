/**
 * A version taken apart: runs of numbers, each but the first led by the word before it. `1.0.2k-rc1` is 1 0 2, `k`, `rc` 1.
 *
 * Numbers stay text, so that no length of digits can overflow.
 */
export type VersionParts = { numbers: string[]; words: readonly WordPart[] }
export type WordPart = {
  word: string
  numbers: string[]
  /** Where it stands among words: below 0 comes before the release itself. */
  rank: number
  /** Written right behind a digit, as in `1.0.1f`. */
  glued: boolean
}

/** Words that say "this is the release itself". Source: docs/decisions/0016. */
const NEUTRAL = new Set(['final', 'ga', 'release', 'lts', 'esr'])
/** One spelling for each kind of update. Source: docs/decisions/0016. */
const SPELLINGS: Readonly<Record<string, string>> = { patch: 'p', pl: 'p', update: 'u', hotfix: 'hf' }
/** Two words that are one kind of update. */
const PAIRS: Readonly<Record<string, readonly [second: string, short: string]>> = {
  cumulative: ['update', 'cu'],
  service: ['pack', 'sp'],
  patch: ['level', 'p'],
}
/** Words for what comes before a release, in their order; all below 0. Source: docs/decisions/0016; `snapshot` and `cr` are Maven's names. */
const PRE_RELEASE_RANKS: Readonly<Record<string, number>> = {
  dev: -6,
  snapshot: -6,
  alpha: -5,
  beta: -4,
  milestone: -3,
  preview: -2,
  pre: -2,
  prerelease: -2,
  rc: -1,
  cr: -1,
}
const AFTER_RELEASE = 1
/** Characters of a version that are looked at. Assumption: a longer one is prose or an attack. */
const MAX_VERSION_CHARS = 200

const TOKEN = /\d+|[a-z]+/g

/** A version in its parts: escapes undone, lower case, without epoch, leading `v` and neutral words. Never throws: prose has parts too. */
export function toVersionParts(version: string): VersionParts {
  const text = version
    .slice(0, MAX_VERSION_CHARS)
    .replace(/\\(.)/g, '$1')
    .toLowerCase()
    .trim()
    .replace(/^\d+:/, '')
    .replace(/^(?:version|ver|v)[\s._]*(?=\d)/, '')
  const parts = { numbers: [] as string[], words: [] as WordPart[] }
  let numbers = parts.numbers
  for (const token of joinPairs(tokensOf(text))) {
    if (token.isNumber) {
      numbers.push(token.text.replace(/^0+(?=\d)/, ''))
      continue
    }
    const word = SPELLINGS[token.text] ?? token.text
    if (NEUTRAL.has(word)) continue
    const part = { word, numbers: [], rank: PRE_RELEASE_RANKS[word] ?? AFTER_RELEASE, glued: token.glued }
    parts.words.push(part)
    numbers = part.numbers
  }
  return parts
}

type Token = { text: string; isNumber: boolean; glued: boolean }

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [found] = match
    const before = text[match.index - 1] ?? ''
    const after = text.slice(match.index + found.length)
    const glued = match.index === end && end > 0
    tokens.push({ text: longName(found, glued, { before, after }), isNumber: found <= '9~', glued })
    end = match.index + found.length
  }
  return tokens
}

/**
 * One letter that stands for a word: `1.0a1` and `1.0b2` are alpha and beta, `9.0.0.M1` is a milestone. A lone letter (`1.0.2k`) is a later
 * patch, and the M of a Cisco train (`15.1(4)M10`) is none.
 */
function longName(letters: string, glued: boolean, { before, after }: { before: string; after: string }): string {
  if (glued && (letters === 'a' || letters === 'b') && /^\d{1,2}(?!\d)/.test(after)) return letters === 'a' ? 'alpha' : 'beta'
  if (letters === 'm' && (before === '.' || before === '-') && /^\d/.test(after)) return 'milestone'
  return letters
}

function joinPairs(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const pair = PAIRS[token.text]
    const isPair = pair !== undefined && tokens[at + 1]?.text === pair[0]
    joined.push(isPair ? { ...token, text: pair[1] } : token)
    if (isPair) at++
  }
  return joined
}
