import { trimEndOf } from '#kernel/text.ts'

/** Shorter values are left alone: as a word of the language they would take harmless text with them. Characters. Assumption. */
const MIN_LENGTH = 8

/**
 * Replaces secrets in text by `***`, also percent-encoded, as base64, and as they stand in JSON. A second wall: nothing that is logged or printed
 * is meant to hold one.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set(
    secrets
      .filter((secret) => secret.length >= MIN_LENGTH)
      .flatMap((secret) => [secret, encodeURIComponent(secret), trimEndOf(Buffer.from(secret).toString('base64'), '='), escaped(secret)]),
  )
  if (spellings.size === 0) return (text) => text
  // The longest first: one that begins like another must not leave its rest.
  const pattern = new RegExp(
    [...spellings]
      .sort((a, b) => b.length - a.length)
      .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('|'),
    'g',
  )
  return (text) => text.replace(pattern, '***')
}

function escaped(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}
