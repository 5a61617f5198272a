/** Characters of a word. Source: PostgreSQL 16, a word of a text search vector has at most 2,046 bytes; Assumption: a longer one is none. */
const MAX_WORD_CHARS = 200

/** The words of a text in their order, in lower case; whatever is neither letter nor digit stands between them. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word.length <= MAX_WORD_CHARS)
}
