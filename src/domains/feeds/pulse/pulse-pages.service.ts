import type { Clock } from '#kernel/clock.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Spool } from '#platform/outbound/spool.ts'
import type { CursorPage, OpenPages } from '../collecting/cursor-pages.ts'
import { tryResolveAtHome } from '../home-origin.ts'
import type { PulseFacts } from '../parsers/pulse/pulse-rows.ts'
import { readPulses } from '../parsers/read-feed.ts'
import { readPulseEnvelope } from './envelope.ts'
import { listAddress, pageAddress } from './pulse-address.ts'
import { type PulseClient, PulseError, type PulsePage } from './pulse-client.service.ts'
import { beginWalk, halvePages, newsFilter, type PageFacts, type PulseCursor, restartWalk, takeStep, toRequest } from './walk.ts'

export type PulsePages = {
  open: OpenPages
  /** The first page of a list, as a probe shows it; it belongs to the caller. */
  first(url: string, signal?: AbortSignal): Promise<{ body: Spool; contentType: string }>
}

type Begun = ReturnType<typeof beginWalk>
const STATUS_NOT_FOUND = 404
const STATUS_GATEWAY_TIMEOUT = 504

/** Reads lists of the pulse provider page by page. @param maxPages pages of one collection; the next one goes on behind them */
export function createPulsePages({
  client,
  base,
  clock,
  maxPages,
}: {
  client: PulseClient
  base: URL
  clock: Clock
  maxPages: number
}): PulsePages {
  /** A page, from the place that is asked for, or from one that the server can serve: of smaller pages, or of the beginning. */
  async function fetchPage(url: string, asked: Begun, signal: AbortSignal): Promise<{ page: PulsePage; asked: Begun }> {
    try {
      return { page: await client.getPage(pageAddress(listAddress(url), toRequest(asked)), signal), asked }
    } catch (error) {
      const other = tryElsewhere(error, asked)
      if (other === undefined) throw error
      return await fetchPage(url, other, signal)
    }
  }

  return {
    async *open(feed, saved, signal) {
      // What this format has saved.
      let cursor = beginWalk((saved ?? {}) as PulseCursor, clock())
      for (let pages = 0; pages < maxPages; pages++) {
        const fetched = await fetchPage(feed.url, cursor, signal)
        let after: PulseCursor | undefined
        const page: CursorPage = {
          seenAt: new Date(fetched.asked.walk.started_at),
          body: fetched.page.body,
          async *read() {
            const { body, date } = fetched.page
            const { count, next } = await readPulseEnvelope(body.read())
            const pulses: PulseFacts[] = []
            const isNews = newsFilter(fetched.asked)
            yield* readPulses(body.read(), (pulse) => {
              pulses.push(pulse)
              return isNews(pulse)
            })
            const step = takeStep(fetched.asked, { count, next: whereTo(next, base), pulses, date })
            after = step.cursor
            return step
          },
          dispose: async () => await fetched.page.body.dispose(),
        }
        yield page
        if (after === undefined) throw new Error('The next page was asked for before the last one had been read.')
        cursor = beginWalk(after, clock())
      }
      return `The collection stopped after ${maxPages} pages, as many as PULSE_MAX_PAGES says; the next one goes on from there.`
    },

    async first(url, signal) {
      const { body, contentType } = await client.getPage(pageAddress(listAddress(url), toRequest(beginWalk({}, clock()))), signal)
      return { body, contentType }
    },
  }
}

/** Where to ask instead, after a failure that another place may not have. */
function tryElsewhere(error: unknown, asked: Begun): Begun | undefined {
  // A server that says nothing at all is not asked again for less: it would hold its place among the collections for minutes.
  if (error instanceof OutboundError && error.status === STATUS_GATEWAY_TIMEOUT) return halvePages(asked)
  // The list has become shorter than the page's number.
  return error instanceof PulseError && error.status === STATUS_NOT_FOUND ? restartWalk(asked) : undefined
}

function whereTo(next: string | undefined, base: URL): PageFacts['next'] {
  if (next === undefined) return 'none'
  return tryResolveAtHome(next, base.href) === undefined ? 'elsewhere' : 'home'
}
