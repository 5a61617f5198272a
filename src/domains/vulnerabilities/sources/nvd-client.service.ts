import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Log } from '#platform/logging/logger.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { freeRequestSlot, takeRequestSlot } from '../syncs.store.ts'
import type { ReadRecord } from './cve-record.ts'
import { afterFailure, type NvdFailure, PAGE_SIZES } from './nvd-retry.ts'
import type { NvdWindow } from './nvd-window.ts'
import { PublisherError } from './publisher.ts'
import { NvdReader } from './read-nvd.ts'

/** One page of records. */
export type NvdPage = {
  index: number
  records: ReadRecord[]
  total: number
  /** The server's clock; undefined when it did not say. */
  readAt: Date | undefined
}
/** What is asked for. */
export type NvdQuestion = { window: NvdWindow } | { cveId: string } | { hasKev: true }

export type NvdClient = {
  /** A page from the record `index` on. Tries again with growing waits and smaller pages. @throws PublisherError; the reason of the signal */
  page(question: NvdQuestion, index: number, signal: AbortSignal): Promise<NvdPage>
}

export type NvdClientDeps = {
  db: Db
  log: Log
  outbound: Pick<Outbound, 'download'>
  /** VULNDB_API_URL. */
  url: string
  /** VULNDB_API_KEY. */
  apiKey: string | undefined
  /** Other than the real ones only in tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** The clock of the pace; that of the database when absent, which all processes share. */
  clock?: () => Date
}

/** Between the end of one request and the beginning of the next, milliseconds. Source: spec, "Limits". */
const GAP_MS = 6000
const GAP_WITH_KEY_MS = 600
/** A timer may be early by this much, milliseconds. */
const TIMER_MARGIN_MS = 20
/** 2,000 records have about 20 MB; single ones have up to 4 MB. Assumption: ten times the common size. */
const PAGE_MAX_BYTES = 268_435_456
/** For one answer, milliseconds: pages have come at 100 kB/s. A silence is cut off sooner by the door. Source: docs/decisions/0021. */
const PAGE_TOTAL_MS = 300_000

/** Speaks the CVE API 2.0 through the outbound door, as slowly as its publisher asks, across all processes of an installation. */
export function createNvdClient({ db, log, outbound, url, apiKey, clock, wait = waitFor }: NvdClientDeps): NvdClient {
  const gapMs = apiKey === undefined ? GAP_MS : GAP_WITH_KEY_MS
  const host = new URL(url).host
  /** Of this process; a server that has learnt to bear more is asked for it after a restart. */
  let pageSize: number = PAGE_SIZES[0]
  let hasSucceeded = false

  const pace = () => ({ gapMs: gapMs + TIMER_MARGIN_MS, at: clock?.() })

  async function inTurn<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    const waitMs = await takeRequestSlot(db, host, pace())
    if (waitMs > 0) await wait(waitMs, signal)
    signal.throwIfAborted()
    try {
      return await ask()
    } finally {
      await freeRequestSlot(db, host, pace())
    }
  }

  async function ask(question: NvdQuestion, index: number, signal: AbortSignal): Promise<NvdPage> {
    const download = await outbound.download({
      url: addressOf(url, question, { index, pageSize }),
      keys: {},
      maxBytes: PAGE_MAX_BYTES,
      maxAttempts: 1,
      totalMs: PAGE_TOTAL_MS,
      headers: { accept: 'application/json' },
      ...(apiKey === undefined ? {} : { credentialHeaders: { apiKey }, staysHome: true }),
      signal,
    })
    if (download.kind === 'not_modified') throw new PublisherError(`${host} answered "not modified" to an unconditional request.`)
    try {
      return await readPage(download.body.read(), index)
    } finally {
      await download.body.dispose()
    }
  }

  /** Decides after a failure. @returns the wait before the next request @throws when there is none */
  function giveUpOrWait(error: unknown, attempt: number, notFounds: number): number {
    const failure = toFailure(error)
    if (failure === undefined) throw error
    const step = afterFailure(failure, { attempt, notFounds, pageSize })
    const { status, code } = failure
    log.warn('cve.nvd_request_failed', {
      ...{ status, code, attempt, page_size: pageSize },
      wait_ms: step === 'give_up' ? undefined : step.waitMs,
    })
    if (step === 'give_up') throw refusal(error, status, apiKey !== undefined && !hasSucceeded)
    pageSize = step.pageSize
    return step.waitMs
  }

  return {
    async page(question, index, signal) {
      let notFounds = 0
      for (let attempt = 1; ; attempt++) {
        try {
          const page = await inTurn(signal, async () => await ask(question, index, signal))
          hasSucceeded = true
          return page
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof OutboundError && error.status === 404) notFounds++
          await wait(giveUpOrWait(error, attempt, notFounds), signal)
        }
      }
    },
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, { signal })
}

/** The address of a question, with an explicit zone in every moment. Source: NVD CVE API 2.0, "Parameters". */
export function addressOf(url: string, question: NvdQuestion, { index, pageSize }: { index: number; pageSize: number }): string {
  const address = new URL(url)
  if ('window' in question) {
    address.searchParams.set('lastModStartDate', question.window.from.toISOString())
    address.searchParams.set('lastModEndDate', question.window.to.toISOString())
  }
  if ('cveId' in question) {
    address.searchParams.set('cveId', question.cveId)
    return address.href
  }
  address.searchParams.set('resultsPerPage', String(pageSize))
  address.searchParams.set('startIndex', String(index))
  // A flag without a value.
  return 'hasKev' in question ? `${address.href}&hasKev` : address.href
}

/** @throws source_malformed for a body that is no page, or one that was cut off */
async function readPage(body: AsyncIterable<Buffer>, index: number): Promise<NvdPage> {
  const records: ReadRecord[] = []
  const reader = new NvdReader((record) => void records.push(record.read()))
  const decoder = new StringDecoder('utf8')
  for await (const chunk of body) reader.push(decoder.write(chunk))
  reader.push(decoder.end())
  reader.end()
  const { totalResults, timestamp } = reader.envelope()
  if (totalResults === undefined) throw new DomainError('source_malformed', 'The answer does not say how many records there are.')
  const readAt = timestamp === undefined ? undefined : new Date(/(?:Z|[+-]\d{2}:?\d{2})$/.test(timestamp) ? timestamp : `${timestamp}Z`)
  return { index, records, total: totalResults, readAt: readAt === undefined || Number.isNaN(readAt.getTime()) ? undefined : readAt }
}

/** A page that cannot be read is a fault of the way here, like one that was cut off. */
function toFailure(error: unknown): NvdFailure | undefined {
  if (error instanceof OutboundError) return { status: error.status, code: error.code, retryAfterMs: error.retryAfterMs }
  if (error instanceof DomainError && error.code === 'source_malformed')
    return { status: undefined, code: 'truncated', retryAfterMs: undefined }
  return undefined
}

function refusal(error: unknown, status: number | undefined, mayBeKey: boolean): PublisherError {
  const reason = error instanceof Error ? error.message : String(error)
  const advice = mayBeKey && (status === 403 || status === 404) ? ' This is also its answer to a wrong key: check VULNDB_API_KEY.' : ''
  return new PublisherError(`NVD: ${reason}${advice}`, status)
}
