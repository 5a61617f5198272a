import { escapeText } from './copy-line.ts'
import type { ListedValue } from './listing.service.ts'

/** One line of a delivery, for COPY: type, value, severity, tags with line breaks between them, description, first seen, last seen, valid until. */
export function deliveredLine({ type, value, severity, tags, description, firstSeen, lastSeen, validUntil }: ListedValue): string {
  const columns = [
    value,
    severity,
    // A line break inside a tag would make two of it.
    tags?.map((tag) => tag.replace(/[\r\n]+/g, ' ')).join('\n'),
    description,
    firstSeen?.toISOString(),
    lastSeen?.toISOString(),
    validUntil?.toISOString(),
  ]
  return `${type}\t${columns.map(toColumn).join('\t')}\n`
}

/** PostgreSQL's texts hold no NUL. */
function toColumn(text: string | undefined): string {
  return text === undefined ? '\\N' : escapeText(text.replaceAll('\0', ''))
}
