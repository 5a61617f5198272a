import type { FeedFormat } from '../feeds.model.ts'
import type { ParserSettings } from '../parser-settings.ts'
import type { FeedRow } from '../parsers/feed-row.ts'
import type { ArrivedBody } from './arrived.ts'

/** Where the reading of a cursor feed stands; kept as JSON, and known to the format alone. */
export type Cursor = Record<string, unknown>

/**
 * What is known once a page has been read. `stuck`: the page is good, and there is no way on, for this reason. `warning`: there is, and
 * something may have been missed.
 */
export type PageEnd = { cursor: Cursor; last: boolean; stuck?: string; warning?: string }

/** One page of a cursor feed: the unit that is stored, with the place behind it, or not at all. */
export type CursorPage = {
  /** The moment that its sightings count for: the same for every page of a walk, so that what a resumed walk brings twice counts once. */
  seenAt: Date
  body: ArrivedBody
  /** The rows, once; then the place behind the page. @throws FeedFormatError when the page cannot be read to its end */
  read(): AsyncGenerator<FeedRow[], PageEnd>
  dispose(): Promise<void>
}

/**
 * The pages of a feed from where a cursor stands, or from the beginning. Ends behind the page that says `last`; ends earlier, with a sentence,
 * at the limit of pages for one collection. The next page is asked for only when the last one has been read.
 */
export type OpenPages = (
  feed: { url: string; format: FeedFormat; parser: ParserSettings },
  cursor: Cursor | undefined,
  signal: AbortSignal,
) => AsyncGenerator<CursorPage, string | undefined>
