import type { AnalystsService } from '#domains/accounts/analysts.service.ts'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import { refuseField } from '#kernel/errors.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { createRememberedTotals } from '#kernel/remembered-totals.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { noSuchIncident } from './incident-changes.service.ts'
import {
  findLinkIds,
  type LinkedAlert,
  type LinkedCve,
  type LinkedIndicator,
  listIncidentsOfCve,
  listLinkedAlerts,
  listLinkedCves,
  listLinkedIndicators,
  listRelated,
  type RelatedIncident,
} from './incident-links.store.ts'
import { incidentReport } from './incident-report.ts'
import { pageEntries } from './incident-timeline.store.ts'
import { type Incident, toIncident } from './incident-view.ts'
import {
  BRIEFS_MAX,
  INCIDENT_PAGE_ROWS,
  INCIDENT_SEVERITIES,
  INCIDENT_STEPS,
  type IncidentBrief,
  type IncidentSeverity,
  LINKED_MAX,
  REPORT_ENTRIES_MAX,
  SOC_LEVELS,
  TIMELINE_PAGE_ROWS,
  type TimelineEntry,
} from './incidents.model.ts'
import { countIncidents, countOpenIncidents, findEventCount, findIncident, type IncidentFilter, pageIncidents } from './incidents.store.ts'
import { TARGET_DELAYS_MS } from './target-delays.ts'

/** Conditions of the list as they are asked for; words of one kind are separated by commas. */
export type IncidentQuery = {
  status?: string
  severity?: string
  level?: string
  /** An id, `me`, or `none`. */
  assignee?: string
  open?: boolean
  overdue?: boolean
  indicator_id?: string
  cve_id?: string
  cursor?: string
}
export type IncidentPage = { items: Incident[]; total: number; total_exact: boolean; next: string | null }
export type IncidentDetail = Incident & { cves: LinkedCve[]; indicators: LinkedIndicator[]; alerts: LinkedAlert[] }
export type TimelinePage = { items: TimelineEntry[]; total: number; total_exact: boolean; next: string | null }

export type IncidentReading = {
  /** 50 incidents, newest first. @param me whose are meant by `me` @throws validation_failed */
  page(query: IncidentQuery, me: string | undefined): Promise<IncidentPage>
  /** @throws not_found */
  get(id: string): Promise<IncidentDetail>
  /** The timeline, oldest first. @throws not_found */
  timeline(id: string, after: number): Promise<TimelinePage>
  /** Other incidents that share a CVE or an IOC with this one. @throws not_found */
  related(id: string): Promise<RelatedIncident[]>
  /** Incidents that are about any of these. */
  relatedTo(subjects: { cve_ids?: readonly string[]; indicator_ids?: readonly string[] }): Promise<RelatedIncident[]>
  /** One incident with its whole timeline as Markdown, for those who have no account. Journalled as an export. @throws not_found */
  report(actor: Actor, id: string): Promise<string>
  countOpen(): Promise<{ severity: IncidentSeverity; count: number }[]>
  /** Who may be given an incident. */
  assignees: AnalystsService['list']
}

/** The newest incidents about a CVE, for whoever shows CVEs. */
export function incidentsOfCve(db: Db): (cveId: string) => Promise<IncidentBrief[]> {
  return async (cveId) => await listIncidentsOfCve(db, cveId, BRIEFS_MAX)
}

export type IncidentReadingDeps = { db: Db; log: Log; clock: Clock; audit: AuditService; analysts: Pick<AnalystsService, 'list'> }

export function createIncidentReading({ db, log, clock, audit, analysts }: IncidentReadingDeps): IncidentReading {
  const totals = createRememberedTotals(clock)

  async function getDetail(from: Db, id: string): Promise<IncidentDetail> {
    const row = await findIncident(from, id)
    if (row === undefined) throw noSuchIncident()
    return {
      ...toIncident(row),
      cves: await listLinkedCves(from, id, LINKED_MAX),
      indicators: await listLinkedIndicators(from, id, LINKED_MAX),
      alerts: await listLinkedAlerts(from, id, LINKED_MAX),
    }
  }

  return {
    async page({ cursor, ...query }, me) {
      const filter = toFilter(query, me, clock())
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      const [rows, { total, exact }] = await Promise.all([
        pageIncidents(db, filter, { after, limit: INCIDENT_PAGE_ROWS + 1 }),
        // The filter of the overdue holds the present moment, and would never be met again.
        totals.of({ ...query, me }, async () => await countIncidents(db, filter)),
      ])
      const items = rows.slice(0, INCIDENT_PAGE_ROWS).map(toIncident)
      const last = rows.length > INCIDENT_PAGE_ROWS ? items.at(-1)?.id : undefined
      return { items, total, total_exact: exact, next: last === undefined ? null : toCursor(last) }
    },

    get: async (id) => await getDetail(db, id),

    async timeline(id, after) {
      const [total, rows] = await Promise.all([findEventCount(db, id), pageEntries(db, id, { after, limit: TIMELINE_PAGE_ROWS + 1 })])
      if (total === undefined) throw noSuchIncident()
      const items = rows.slice(0, TIMELINE_PAGE_ROWS)
      const last = rows.length > TIMELINE_PAGE_ROWS ? items.at(-1)?.seq : undefined
      return { items, total, total_exact: true, next: last === undefined ? null : String(last) }
    },

    async related(id) {
      if ((await findEventCount(db, id)) === undefined) throw noSuchIncident()
      return await listRelated(db, { ...(await findLinkIds(db, id, LINKED_MAX)), except: id }, { limit: BRIEFS_MAX, asOf: clock() })
    },

    async relatedTo({ cve_ids = [], indicator_ids = [] }) {
      const cveIds = cve_ids.map((id) => id.toUpperCase())
      return await listRelated(db, { cveIds, indicatorIds: indicator_ids, except: undefined }, { limit: BRIEFS_MAX, asOf: clock() })
    },

    async report(actor, id) {
      return await transact(db, log, async (tx) => {
        const incident = await getDetail(tx.db, id)
        const entries = await pageEntries(tx.db, id, { after: 0, limit: REPORT_ENTRIES_MAX })
        await audit.record(tx, actor, {
          action: 'data.export',
          target: { type: 'incident', id, name: incident.title },
          details: { format: 'markdown', rows: entries.length },
        })
        return incidentReport(incident, entries, { at: clock(), by: actor.name })
      })
    },

    countOpen: async () => await countOpenIncidents(db),
    assignees: async () => await analysts.list(),
  }
}

function toFilter(query: Omit<IncidentQuery, 'cursor'>, me: string | undefined, now: Date): IncidentFilter {
  const { status, severity, level, assignee, open, overdue, indicator_id, cve_id } = query
  return {
    ...(status === undefined ? {} : { statuses: parseWords('status', status, INCIDENT_STEPS) }),
    ...(severity === undefined ? {} : { severities: parseWords('severity', severity, INCIDENT_SEVERITIES) }),
    ...(level === undefined ? {} : { levels: parseWords('level', level, SOC_LEVELS) }),
    ...(assignee === undefined ? {} : { assigneeId: toAssignee(assignee, me) }),
    ...(open === undefined ? {} : { open }),
    ...(overdue === true ? { overdue: latenessAt(now) } : {}),
    ...(indicator_id === undefined ? {} : { indicatorId: indicator_id }),
    ...(cve_id === undefined ? {} : { cveId: cve_id.toUpperCase() }),
  }
}

function parseWords<Word extends string>(field: string, given: string, allowed: readonly Word[]): Word[] {
  return given.split(',').map((word) => parseWord(field, word, allowed))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function toAssignee(given: string, me: string | undefined): string | null {
  if (given === 'none') return null
  const id = given === 'me' ? me : given
  if (id === undefined || !UUID.test(id)) throw refuseField('assignee', 'Give the id of an account, "me", or "none".')
  return id
}

function latenessAt(now: Date) {
  return INCIDENT_SEVERITIES.map((severity) => ({
    severity,
    takeInBefore: new Date(now.getTime() - TARGET_DELAYS_MS[severity].takeIn),
    resolutionBefore: new Date(now.getTime() - TARGET_DELAYS_MS[severity].resolution),
  }))
}
