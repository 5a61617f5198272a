import type { AuditService } from '#domains/audit/audit.service.ts'
import { defaultSeverity } from '#domains/indicators/default-severity.ts'
import { type IndicatorType, REJECTION_EXAMPLES, type Severity } from '#domains/indicators/indicators.model.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { Actor } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { type Spool, spoolFile } from '#platform/outbound/spool.ts'
import { newRowTally, type RowTally, toListedValues } from './collecting/feed-values.ts'
import { readBody } from './collecting/read-body.ts'
import { checkFeedInput } from './feed-input.ts'
import type { FeedFormat, FeedRejection, Tlp } from './feeds.model.ts'
import type { ParserSettings } from './parser-settings.ts'
import type { DetectedLayout, FeedRow } from './parsers/feed-row.ts'

export type ProbeRequest = { url: string; format: string; parser?: Record<string, unknown>; feed_type?: string; tlp?: string }
export type ProbeSample = {
  line: number
  raw: string
  type: IndicatorType | null
  value: string | null
  severity: Severity | null
  tags: string[]
}
export type ProbeResult = {
  bytes: number
  content_type: string | null
  row_count: number
  accepted_count: number
  rejected_count: number
  unsupported_count: number
  unsupported_by_kind: Record<string, number>
  layout: DetectedLayout | Record<string, never>
  types: Record<string, number>
  samples: ProbeSample[]
  rejections: FeedRejection[]
}

export type ProbeService = {
  /** Fetches a feed and reads all of it as a collection would, storing nothing. @throws feed_url_forbidden, upstream_unavailable, feed_malformed, validation_failed */
  probe(actor: Actor, request: ProbeRequest, file?: string): Promise<ProbeResult>
}

export type ProbeDeps = {
  db: Db
  log: Log
  audit: AuditService
  outbound: Outbound
  /** Of a cursor format, how its first page is fetched: that is what a probe shows. */
  firstPage: Partial<Record<FeedFormat, (url: string) => Promise<{ body: Spool; contentType: string }>>>
  feedKeys: Readonly<Record<string, string>>
  maxBytes: number
}

const SAMPLE_ROWS = 10
const SAMPLE_CHARACTERS = 200

export function createProbeService({ db, log, audit, outbound, firstPage, feedKeys, maxBytes }: ProbeDeps): ProbeService {
  async function fetchBody({
    url,
    format,
    unpackArchive,
  }: {
    url: string
    format: FeedFormat
    unpackArchive: boolean
  }): Promise<{ body: Spool; contentType?: string }> {
    const verdict = outbound.judge(url)
    if (!verdict.ok)
      throw new DomainError('feed_url_forbidden', verdict.reason, [{ field: 'url', code: 'forbidden', message: verdict.reason }])
    const fetchPage = firstPage[format]
    try {
      if (fetchPage !== undefined) return await fetchPage(url)
      const download = await outbound.download({ url, keys: feedKeys, maxBytes, unpackArchive })
      if (download.kind === 'not_modified')
        throw new DomainError('upstream_unavailable', 'The feed answered "not modified" to an unconditional request.')
      return { body: download.body, ...(download.contentType === undefined ? {} : { contentType: download.contentType }) }
    } catch (error) {
      if (error instanceof OutboundError)
        throw new DomainError('upstream_unavailable', error.message, [{ field: 'url', code: error.code, message: error.message }])
      throw error
    }
  }

  async function tryFeed(request: ProbeRequest, file: string | undefined): Promise<ProbeResult> {
    const { format, parser, feed_type, tlp } = checkFeedInput({
      format: request.format,
      parser: request.parser ?? {},
      feed_type: request.feed_type ?? 'other',
      tlp: request.tlp ?? 'CLEAR',
    })
    const fetched: { body: Spool; contentType?: string } =
      file === undefined
        ? await fetchBody({ url: request.url, format: format ?? 'CSV', unpackArchive: parser?.archive !== 'none' })
        : { body: await spoolFile(file, maxBytes) }
    try {
      const read = await readAll(fetched.body, {
        format: format ?? 'CSV',
        parser: parser ?? {},
        severity: defaultSeverity(feed_type ?? 'other'),
        tlp: tlp ?? 'CLEAR',
      })
      return {
        bytes: fetched.body.bytes,
        content_type: fetched.contentType ?? null,
        row_count: read.tally.rows,
        accepted_count: read.tally.accepted,
        rejected_count: read.tally.rejected,
        unsupported_count: read.tally.unsupported,
        unsupported_by_kind: read.tally.unsupportedByKind,
        layout: read.layout,
        types: read.types,
        samples: read.samples,
        rejections: read.tally.rejections.slice(0, REJECTION_EXAMPLES),
      }
    } finally {
      await fetched.body.dispose()
    }
  }

  return {
    async probe(actor, request, file) {
      let result: ProbeResult
      try {
        result = await tryFeed(request, file)
      } catch (error) {
        // Whoever makes the service knock at an address leaves a trace of it, also when nobody opens. The address may hold a key: its host says enough.
        const reason = error instanceof DomainError ? error.code : 'internal_error'
        await audit.recordRefusal(actor, { action: 'feed.probed', outcome: 'FAILURE', details: { host: hostNamedBy(request.url), reason } })
        throw error
      }
      const { row_count: rows, accepted_count: accepted } = result
      await transact(
        db,
        log,
        async (tx) => await audit.record(tx, actor, { action: 'feed.probed', details: { host: hostNamedBy(request.url), rows, accepted } }),
      )
      return result
    },
  }
}

/** Null for an address that is none. */
function hostNamedBy(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}

async function readAll(
  body: Spool,
  how: { format: FeedFormat; parser: ParserSettings; severity: Severity; tlp: Tlp },
): Promise<{ tally: RowTally; types: Record<string, number>; samples: ProbeSample[]; layout: ProbeResult['layout'] }> {
  const tally = newRowTally({ tlp: how.tlp })
  const types: Record<string, number> = {}
  const samples: ProbeSample[] = []
  const reader = readBody(body.read(), how.format, how.parser)
  for (;;) {
    const { done, value } = await reader.next()
    if (done === true) return { tally, types, samples, layout: value.detected }
    for (const row of value.slice(0, SAMPLE_ROWS - samples.length)) samples.push(toSample(row, how.severity))
    for (const { type } of toListedValues(value, tally)) types[type] = (types[type] ?? 0) + 1
  }
}

function toSample(row: FeedRow, severity: Severity): ProbeSample {
  const shown = { line: row.line, raw: row.raw.slice(0, SAMPLE_CHARACTERS), tags: row.tags ?? [] }
  const verdict = row.kind === 'UNSUPPORTED' || row.problem !== undefined ? undefined : normalizeIndicator(row.raw, row.kind)
  if (verdict?.ok !== true) return { ...shown, type: null, value: null, severity: null }
  return { ...shown, type: verdict.type, value: verdict.value, severity: row.severity ?? severity }
}
