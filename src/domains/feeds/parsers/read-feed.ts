import type { ParserSettings } from '../parser-settings.ts'
import type { FeedRow, ReadSummary } from './feed-row.ts'
import { createCsvReader } from './read-csv.ts'
import { createJsonReader } from './read-json.ts'
import { createTextSource } from './text-decoder.ts'

/** Rows a batch holds, about. Assumption: per-row asynchrony costs more than the reading itself. */
const BATCH_ROWS = 2000
/** Bytes decoded at a time, so that a large chunk does not become one large batch. Assumption. */
const SLICE_BYTES = 32_768

/**
 * Reads a feed as a stream: bytes in, batches of about 2 000 rows out, memory bounded by the batch whatever the size of the feed.
 *
 * Rows that cannot be read come as rows with a `problem`. Blank lines, comments, filtered rows and JSON records without the value field
 * (a closing metadata line) are counted and not given. The summary is the return value of the generator.
 *
 * @param bytes unpacked; `archive` is for whoever fetches
 * @throws FeedFormatError feed_malformed when the file as a whole cannot be read, or stops being readable: after the rows before it
 */
export async function* readFeed(
  bytes: AsyncIterable<Buffer>,
  format: 'CSV' | 'JSON',
  settings: ParserSettings,
): AsyncGenerator<FeedRow[], ReadSummary> {
  const source = createTextSource(settings.encoding)
  const reader = format === 'CSV' ? createCsvReader(settings) : createJsonReader(settings)
  let rows: FeedRow[] = []
  try {
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        const text = source.write(chunk.subarray(at, at + SLICE_BYTES))
        if (text !== '') reader.push(text, rows)
        if (rows.length < BATCH_ROWS) continue
        yield rows
        rows = []
      }
    }
    const rest = source.end()
    if (rest !== '') reader.push(rest, rows)
    reader.end(rows)
  } catch (error) {
    // Also when the bytes themselves break off: what was read is good.
    reader.flush(rows)
    if (rows.length > 0) yield rows
    throw error
  }
  if (rows.length > 0) yield rows
  return reader.summary(source.encoding())
}
