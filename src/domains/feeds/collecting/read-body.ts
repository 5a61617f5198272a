import type { FeedFormat } from '../feeds.model.ts'
import type { ParserSettings } from '../parser-settings.ts'
import type { FeedRow, ReadSummary } from '../parsers/feed-row.ts'
import { readFeed } from '../parsers/read-feed.ts'

/**
 * The rows of one body of a feed: a whole list, or one page of a cursor feed. A page of TAXII is read as the STIX that it holds.
 *
 * @throws FeedFormatError feed_malformed, after the rows before the damage
 */
export function readBody(
  bytes: AsyncIterable<Buffer>,
  format: FeedFormat,
  settings: ParserSettings,
): AsyncGenerator<FeedRow[], ReadSummary> {
  return readFeed(bytes, format === 'TAXII' ? 'STIX' : format, settings)
}
