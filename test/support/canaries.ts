/** A value that must not come out anywhere. Its special characters make its percent-encoded spelling another one. */
export type Canary = { name: string; secret: string }

/** Characters of a secret that make a find: a part is as bad as the whole. */
const PART_LENGTH = 10

/**
 * The canaries that a text holds: as they are or in part, percent-encoded once or twice, as JSON, or as base64 at any offset. A text that is clean
 * gives an empty list.
 */
export function findCanaries(canaries: readonly Canary[], text: string): string[] {
  const once = percentDecoded(text)
  const spellings = [
    text,
    once,
    percentDecoded(once),
    text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
    base64Decoded(text),
    base64Decoded(once),
  ]
  return canaries
    .filter(({ secret }) => {
      const parts = [secret, secret.slice(0, PART_LENGTH), secret.slice(-PART_LENGTH)]
      return spellings.some((spelling) => parts.some((part) => spelling.includes(part)))
    })
    .map(({ name }) => name)
}

function percentDecoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}

function base64Decoded(text: string): string {
  const runs = text.match(/[A-Za-z0-9+/_-]{12,}/g) ?? []
  // Any of four offsets: the run may begin before the encoded part.
  return runs.flatMap((run) => [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('latin1'))).join('\n')
}
