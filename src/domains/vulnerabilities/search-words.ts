/** Characters of a word. Source: PostgreSQL 16, a word of a text search vector has at most 2,046 bytes; Assumption: a longer one is none. */
const MAX_WORD_CHARS = 200
/**
 * What stands in one description of twenty, and so cannot help to find one: half of all words, and of what an index of them costs.
 * Source: counted in 140,000 published records.
 */
// biome-ignore format: one list
export const COMMON_WORDS: readonly string[] = [
  '0', '1', '10', '11', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'access', 'affected', 'affects', 'aka', 'allow', 'allows', 'an', 'and',
  'application', 'arbitrary', 'are', 'as', 'attack', 'attacker', 'attackers', 'authenticated', 'based', 'be', 'before', 'buffer', 'by', 'c',
  'can', 'cause', 'code', 'commands', 'component', 'could', 'crafted', 'crash', 'cross', 'cve', 'data', 'denial', 'different', 'does', 'earlier',
  'execute', 'file', 'files', 'for', 'from', 'function', 'has', 'html', 'id', 'in', 'information', 'inject', 'injection', 'is', 'issue', 'it',
  'local', 'may', 'memory', 'multiple', 'not', 'note', 'obtain', 'of', 'on', 'or', 'other', 'overflow', 'parameter', 'php', 'possibly',
  'privileges', 'properly', 'read', 'related', 'remote', 'request', 's', 'script', 'scripting', 'sensitive', 'server', 'service', 'site', 'sql',
  'system', 'than', 'that', 'the', 'this', 'through', 'to', 'unknown', 'unspecified', 'used', 'user', 'users', 'vectors', 'versions', 'via',
  'vulnerabilities', 'vulnerability', 'was', 'web', 'when', 'which', 'windows', 'with', 'x', 'xss',
]
const COMMON: ReadonlySet<string> = new Set(COMMON_WORDS)

/** What stands between words. Nearly every text is ASCII, and its words are cut at a third of the cost of asking for all letters there are. */
const BETWEEN_ASCII_WORDS = /[^a-z0-9]+/
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u
const ALL_ASCII = /^[\0-\x7f]*$/

/** The words of a text in their order, in lower case; whatever is neither letter nor digit stands between them. */
export function searchWords(text: string): string[] {
  return cutAtWords(text).filter((word) => word !== '' && word.length <= MAX_WORD_CHARS)
}

/** The words that a description is found by, each once. */
export function keptWords(text: string): string[] {
  const kept = new Set<string>()
  for (const word of cutAtWords(text)) if (!COMMON.has(word) && word !== '' && word.length <= MAX_WORD_CHARS) kept.add(word)
  return [...kept]
}

function cutAtWords(text: string): string[] {
  return text.toLowerCase().split(ALL_ASCII.test(text) ? BETWEEN_ASCII_WORDS : BETWEEN_WORDS)
}

/** Whether every description with this word is found by it. */
export function isKept(word: string): boolean {
  return !COMMON.has(word)
}

/** Whether every description with a word of this beginning is found by it. */
export function isKeptFrom(beginning: string): boolean {
  return !COMMON_WORDS.some((word) => word.startsWith(beginning))
}
