import type { ParserSettings } from '../parser-settings.ts'
import type { FeedRow, ReadSummary, RowReader } from './feed-row.ts'
import { createPulseReader } from './pulse/create-pulse-reader.ts'
import type { PulseFacts } from './pulse/pulse-rows.ts'
import { createCsvReader } from './read-csv.ts'
import { createJsonReader } from './read-json.ts'
import { readRows } from './read-rows.ts'
import { createStixReader } from './stix/create-stix-reader.ts'

/** Formats whose whole content is one body. */
export type BodyFormat = 'CSV' | 'JSON' | 'STIX' | 'PULSE'

const READERS: Record<BodyFormat, (settings: ParserSettings) => RowReader> = {
  CSV: createCsvReader,
  JSON: createJsonReader,
  STIX: createStixReader,
  PULSE: () => createPulseReader(),
}

/**
 * Reads a feed as a stream: bytes in, batches of about 2 000 rows out, memory bounded by the batch whatever the size of the feed.
 *
 * Rows that cannot be read come as rows with a `problem`. Blank lines, comments, filtered rows and JSON records without the value field
 * (a closing metadata line) are counted and not given. The summary is the return value of the generator.
 *
 * @param bytes unpacked; `archive` is for whoever fetches
 * @throws FeedFormatError feed_malformed when the file as a whole cannot be read, or stops being readable: after the rows before it
 */
export function readFeed(
  bytes: AsyncIterable<Buffer>,
  format: BodyFormat,
  settings: ParserSettings,
): AsyncGenerator<FeedRow[], ReadSummary> {
  return readRows(bytes, READERS[format](settings), settings.encoding)
}

/** Reads a STIX bundle, a TAXII envelope, an array of STIX objects, or one object. @throws FeedFormatError as readFeed */
export function readStix(
  bytes: AsyncIterable<Buffer>,
  settings: Pick<ParserSettings, 'observables' | 'encoding'>,
): AsyncGenerator<FeedRow[], ReadSummary> {
  return readRows(bytes, createStixReader(settings), settings.encoding)
}

/** Reads a page of pulses, or an array of them. @param isWanted told of each pulse once; the rows of those not wanted are left out @throws FeedFormatError as readFeed */
export function readPulses(bytes: AsyncIterable<Buffer>, isWanted: (pulse: PulseFacts) => boolean): AsyncGenerator<FeedRow[], ReadSummary> {
  return readRows(bytes, createPulseReader(isWanted))
}
