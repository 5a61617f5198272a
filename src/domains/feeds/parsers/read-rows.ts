import type { FeedRow, ReadSummary, RowReader } from './feed-row.ts'
import { createTextSource, type Encoding } from './text-decoder.ts'

/** Rows a batch holds, about. Assumption: per-row asynchrony costs more than the reading itself. */
const BATCH_ROWS = 2000
/** Bytes decoded at a time, so that a large chunk does not become one large batch. Assumption. */
const SLICE_BYTES = 32_768

/** Decodes the bytes of a feed, gives them to a reader, and gives its rows in batches; the summary is the return value. @throws FeedFormatError */
export async function* readRows(
  bytes: AsyncIterable<Buffer>,
  reader: RowReader,
  encoding?: Encoding,
): AsyncGenerator<FeedRow[], ReadSummary> {
  const source = createTextSource(encoding)
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
  for (const row of reader.late?.() ?? []) {
    if (rows.length >= BATCH_ROWS) {
      yield rows
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) yield rows
  return reader.summary(source.encoding())
}
