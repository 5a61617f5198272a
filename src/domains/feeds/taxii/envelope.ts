import { JsonScanner } from '../parsers/json-scanner.ts'

/** What a page says about the pages after it. Source: TAXII 2.1, 3.7. */
export type Envelope = { more: boolean | undefined; next: string | undefined; isEmpty: boolean }

/**
 * Reads the members of a TAXII envelope around its objects, in memory bounded however large the page is.
 *
 * @param bytes UTF-8 @throws FeedFormatError feed_malformed when the page is not one whole JSON object
 */
export async function readEnvelope(bytes: AsyncIterable<Buffer>): Promise<Envelope> {
  const envelope: Envelope = { more: undefined, next: undefined, isEmpty: true }
  const scanner = new JsonScanner([], 'object', ({ key, text, fault }) => {
    if (key === 'objects') envelope.isEmpty = fault === undefined && /^\[\s*\]$/.test(text)
    if (fault !== undefined) return
    if (key === 'more' && (text === 'true' || text === 'false')) envelope.more = text === 'true'
    // Some servers give a number, a page or an offset.
    if (key === 'next') envelope.next = toToken(text)
  })
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) scanner.push(decoder.decode(chunk, { stream: true }))
  scanner.push(decoder.decode())
  scanner.end()
  return envelope
}

function toToken(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
