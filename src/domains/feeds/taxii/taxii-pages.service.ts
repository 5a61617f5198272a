import type { Clock } from '#kernel/clock.ts'
import type { Spool } from '#platform/outbound/spool.ts'
import type { CursorPage, OpenPages } from '../collecting/cursor-pages.ts'
import { readBody } from '../collecting/read-body.ts'
import { readEnvelope } from './envelope.ts'
import type { TaxiiService } from './taxii.service.ts'
import { pageAddress, type TaxiiAddress } from './taxii-address.ts'
import { type TaxiiClient, TaxiiError, type TaxiiPage } from './taxii-client.service.ts'
import { beginWalk, restartWalk, type TaxiiCursor, takeStep, toRequest } from './walk.ts'

export type TaxiiPages = {
  open: OpenPages
  /** The first page of a collection, as a probe shows it; it belongs to the caller. */
  first(url: string, signal?: AbortSignal): Promise<{ body: Spool; contentType: string }>
}

/** Pages of one collection run; the next run goes on behind them. Assumption: a million objects at the usual page size. */
const MAX_PAGES = 1000
/** What a server may answer to a `next` that it has forgotten. Source: TAXII 2.1, 3.4, and what servers do. */
const FORGOTTEN: ReadonlySet<number> = new Set([400, 404, 410, 416, 422])

/** Reads collections of TAXII 2.1 servers page by page, well-behaved or not. */
export function createTaxiiPages({
  client,
  taxii,
  clock,
  maxPages = MAX_PAGES,
}: {
  client: TaxiiClient
  taxii: Pick<TaxiiService, 'locate'>
  clock: Clock
  maxPages?: number
}): TaxiiPages {
  async function fetchPage(address: TaxiiAddress, cursor: TaxiiCursor, signal: AbortSignal): Promise<TaxiiPage> {
    return await client.getPage(pageAddress(address, toRequest(cursor)), signal)
  }

  /** The first page of a run: a `next` from an earlier run may be forgotten by now, and then the walk begins anew. */
  async function fetchFirst(
    address: TaxiiAddress,
    cursor: TaxiiCursor,
    signal: AbortSignal,
  ): Promise<{ page: TaxiiPage; cursor: TaxiiCursor }> {
    try {
      return { page: await fetchPage(address, cursor, signal), cursor }
    } catch (error) {
      if (cursor.walk?.next === undefined || !(error instanceof TaxiiError) || !FORGOTTEN.has(error.status ?? 0)) throw error
      const anew = restartWalk(cursor)
      return { page: await fetchPage(address, anew, signal), cursor: anew }
    }
  }

  return {
    async *open(feed, saved, signal) {
      const address = await taxii.locate(feed.url, signal)
      // What this format has saved.
      let cursor: TaxiiCursor = beginWalk((saved ?? {}) as TaxiiCursor, clock())
      const seen = new Set<string>(cursor.walk?.next === undefined ? [] : [cursor.walk.next])
      for (let pages = 0; pages < maxPages; pages++) {
        const fetched: { page: TaxiiPage; cursor: TaxiiCursor } =
          pages === 0 ? await fetchFirst(address, cursor, signal) : { page: await fetchPage(address, cursor, signal), cursor }
        const asked = beginWalk(fetched.cursor, clock())
        let after: TaxiiCursor | undefined
        const page: CursorPage = {
          seenAt: new Date(asked.walk.started_at),
          body: fetched.page.body,
          async *read() {
            const { body, addedLast } = fetched.page
            const envelope = await readEnvelope(body.read())
            if (!envelope.isEmpty) yield* readBody(body.read(), 'TAXII', feed.parser)
            const step = takeStep(asked, { ...envelope, addedLast }, { seen, now: clock() })
            after = step.cursor
            return step
          },
          dispose: async () => await fetched.page.body.dispose(),
        }
        yield page
        if (after === undefined) throw new Error('The next page was asked for before the last one had been read.')
        cursor = after
      }
      return `The collection stopped after ${maxPages} pages, as many as one collection reads; the next one goes on from there.`
    },

    async first(url, signal) {
      const address = await taxii.locate(url, signal)
      const { body, contentType } = await client.getPage(pageAddress(address, toRequest({})), signal)
      return { body, contentType }
    },
  }
}
