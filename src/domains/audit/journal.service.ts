import { type Clock, MS_PER_HOUR } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import type { Db } from '#platform/database/database.ts'
import { AUDIT_PAGE_ROWS, type AuditEvent, type AuditOutcome } from './audit.model.ts'
import { type AuditFilter, countAuditEvents, listActions, listEventsOfRequest, pageAuditEvents } from './audit.store.ts'
import { type ChainReport, type ExpectedHead, verifyChain } from './verify-chain.service.ts'

export type AuditQuery = {
  /** How the action begins. */
  action?: string
  outcome?: AuditOutcome
  /** Only the last so many hours. */
  since?: number
  /** The whole name, in any case. */
  actor?: string
  request_id?: string
  cursor?: string
  /** Rows of the page, 50 when left out. */
  limit?: number
}
export type AuditPage = { items: AuditEvent[]; total: number; total_exact: boolean; next: string | null }

export type JournalService = {
  /** @throws validation_failed (the cursor) */
  page(query: AuditQuery): Promise<AuditPage>
  /** What one request did, in the order of doing. */
  ofRequest(requestId: string): Promise<AuditEvent[]>
  /** Recomputes every row of the chain, in bounded memory. `expected` are heads that were noted earlier. */
  verify(options: VerifyOptions): Promise<ChainReport>
}
export type VerifyOptions = { expected: readonly ExpectedHead[]; signal?: AbortSignal; onProgress?: (rows: number) => void }

/** Rows shown of one request. Assumption: a request does one thing, or a few. */
const REQUEST_ROWS = 200

/** Walks of one page over rows that the filter may all leave out. Assumption: well below a second in all. */
const WALKS_PER_PAGE = 8

/** Reads the journal, and checks it. Source: spec, "Audit"; docs/decisions/0007. */
export function createJournalService({ db, clock }: { db: Db; clock: Clock }): JournalService {
  return {
    async page({ cursor, limit = AUDIT_PAGE_ROWS, ...query }) {
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      const filter = toFilter(query, clock())
      if (query.action !== undefined && query.action !== '') {
        filter.actions = await listActions(db, query.action)
        if (filter.actions.length === 0) return { items: [], total: 0, total_exact: true, next: null }
      }
      const { rows, stoppedAt } = await fillPage(db, filter, { after, limit: limit + 1 })
      const { total, exact } = await countAuditEvents(db, filter)
      const items = rows.slice(0, limit)
      const last = rows.length > limit ? items.at(-1)?.id : stoppedAt
      return { items, total, total_exact: exact, next: last === undefined ? null : toCursor(last) }
    },

    async ofRequest(requestId) {
      return await listEventsOfRequest(db, requestId, REQUEST_ROWS)
    },

    async verify(options) {
      return await verifyChain(db, options)
    },
  }
}

function toFilter({ outcome, since, actor, request_id }: AuditQuery, now: Date): AuditFilter {
  const filter: AuditFilter = {}
  if (outcome !== undefined) filter.outcome = outcome
  if (since !== undefined) filter.since = new Date(now.getTime() - since * MS_PER_HOUR)
  if (actor !== undefined) filter.actorName = actor
  if (request_id !== undefined) filter.requestId = request_id
  return filter
}

/** Walks on while a filter that no single index answers leaves the page short, up to a bound: beyond it the page stays short and has a next one. */
async function fillPage(
  db: Db,
  filter: AuditFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ rows: AuditEvent[]; stoppedAt: string | undefined }> {
  const rows: AuditEvent[] = []
  let stoppedAt = after
  for (let walk = 0; walk < WALKS_PER_PAGE; walk++) {
    const page = await pageAuditEvents(db, filter, { after: stoppedAt, limit: limit - rows.length })
    rows.push(...page.rows)
    stoppedAt = page.stoppedAt
    if (stoppedAt === undefined) break
  }
  return { rows, stoppedAt }
}
