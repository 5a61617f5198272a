import { type ParserSettings, validateParserSettings } from '../parser-settings.ts'
import type { FeedRow, ReadSummary } from './feed-row.ts'
import { type BodyFormat, readFeed } from './read-feed.ts'

/** Everything that one reading gave, and what it ended with. */
export type WholeReading = { rows: FeedRow[]; summary: ReadSummary | undefined; error: unknown }

/** Reads a whole feed out of memory, in chunks of `chunkBytes`. */
export async function readWhole(
  body: string | Buffer,
  format: BodyFormat,
  settings: ParserSettings = {},
  chunkBytes = 65_536,
): Promise<WholeReading> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const rows: FeedRow[] = []
  const reading = readFeed(inChunks(bytes, chunkBytes), format, validateParserSettings(settings))
  try {
    for (let step = await reading.next(); ; step = await reading.next()) {
      if (step.done) return { rows, summary: step.value, error: undefined }
      rows.push(...step.value)
    }
  } catch (error) {
    return { rows, summary: undefined, error }
  }
}

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** Rows in short: the value, with its kind when it has one (`evil.example/DOMAIN`), or `!line` for a row that could not be read. */
export function inShort(rows: readonly FeedRow[]): string[] {
  return rows.map(({ line, raw, kind, problem }) => (problem !== undefined ? `!${line}` : kind === undefined ? raw : `${raw}/${kind}`))
}
