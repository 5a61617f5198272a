import { JsonScanner } from '../parsers/json-scanner.ts'

/** What a page says about the pages after it. `next` is the link as it came; any value but null says that there is one. */
export type PulseEnvelope = { count: number | undefined; next: string | undefined }

/**
 * Reads the members of a page around its pulses, in memory bounded however large the page is.
 *
 * @param bytes UTF-8 @throws FeedFormatError feed_malformed when the page is not one whole JSON object
 */
export async function readPulseEnvelope(bytes: AsyncIterable<Buffer>): Promise<PulseEnvelope> {
  const envelope: PulseEnvelope = { count: undefined, next: undefined }
  const scanner = new JsonScanner([], 'object', ({ key, text, fault }) => {
    if (fault !== undefined) return
    if (key === 'count' && /^\d{1,15}$/.test(text)) envelope.count = Number(text)
    if (key === 'next' && text !== 'null' && text !== 'false' && text !== '""') envelope.next = toLink(text)
  })
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) scanner.push(decoder.decode(chunk, { stream: true }))
  scanner.push(decoder.decode())
  scanner.end()
  return envelope
}

/** Text as it came where it is not a JSON text: then it is no link, and is judged as such. */
function toLink(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
