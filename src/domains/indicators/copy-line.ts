const SPECIAL = /[\\\n\r\t]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line of PostgreSQL's COPY text format: type, value, and what is said or null. Source: PostgreSQL 16, "COPY", text format. */
export function copyLine(type: string, value: string, said: string | undefined): string {
  return `${type}\t${escapeText(value)}\t${said === undefined ? '\\N' : escapeText(said)}\n`
}

/** A text as a column of COPY's text format. */
export function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character)
}
