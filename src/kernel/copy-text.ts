const SPECIAL = /[\\\n\r\t]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text as a column of PostgreSQL's COPY text format. Source: PostgreSQL 16, "COPY", text format. */
export function escapeCopyText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character)
}
