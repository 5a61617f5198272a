import { escapeText } from './copy-line.ts'
import type { ListedValue } from './listing.service.ts'

/** One line of a delivery, for COPY: type, value, severity, tags with line breaks between them, description; first seen, last seen and valid until in milliseconds; whether the source takes it back. */
export function deliveredLine(
  { type, value, severity, tags, description, firstSeen, lastSeen, validUntil }: ListedValue,
  isEnded: boolean,
): string {
  const columns = [
    value,
    severity,
    // A line break inside a tag would make two of it.
    tags?.map((tag) => tag.replace(/[\r\n]+/g, ' ')).join('\n'),
    description,
  ]
  // Moments as milliseconds: writing dates out took as long as the rest of the line.
  const moments = [firstSeen, lastSeen, validUntil].map((moment) => (moment === undefined ? '\\N' : String(moment.getTime())))
  return `${type}\t${columns.map(toColumn).join('\t')}\t${moments.join('\t')}\t${isEnded ? 't' : 'f'}\n`
}

/** PostgreSQL's texts hold no NUL. */
function toColumn(text: string | undefined): string {
  return text === undefined ? '\\N' : escapeText(text.includes('\0') ? text.replaceAll('\0', '') : text)
}
