import type { AuditService } from '#domains/audit/audit.service.ts'
import { type Actor, WORKER_ACTOR } from '#kernel/actor.ts'
import { type Clock, MS_PER_HOUR } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { parseWord } from '#kernel/parse-word.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Log } from '#platform/logging/logger.ts'
import {
  ALERT_PAGE_ROWS,
  ALERT_PRIORITIES,
  ALERT_SORTS,
  ALERT_STATES,
  type AlertPriority,
  type AlertState,
  type CveFacts,
  type NewAlert,
  NO_CVE_FACTS,
  NOTIFICATIONS,
  TITLE_MAX_CHARS,
} from './alerts.model.ts'
import {
  type AlertFilter,
  type AlertRow,
  acknowledgeAlerts,
  countAlerts,
  countOpenAlerts,
  findAlert,
  findAlertOfCve,
  insertAlerts,
  listNamedAlerts,
  listOpenAlertIds,
  pageAlerts,
} from './alerts.store.ts'

export type Alert = AlertRow & CveFacts & { state: AlertState }
/** Conditions of the list as they are asked for; `priority` may name several, separated by commas. */
export type AlertQuery = {
  state?: string
  priority?: string
  notification?: string
  cve_id?: string
  kev?: boolean
  /** Raised at least this long ago. */
  min_age_hours?: number
  sort?: string
  cursor?: string
}
export type AlertPage = { items: Alert[]; total: number; total_exact: boolean; next: string | null }
export type Acknowledgement = {
  /** Those that are acknowledged now, and were not before. */
  acknowledged: Alert[]
  /** How many of the others were acknowledged before, or are not known. */
  unchanged: number
}

export type AlertsService = {
  /** Raises alerts in the caller's transaction. A CVE with an open alert, and a crossing that was told before, raise nothing. @returns how many are new */
  raise(tx: Tx, alerts: readonly NewAlert[]): Promise<number>
  /** Acknowledges the open alerts of CVEs that were withdrawn, in the name of the service. */
  withdraw(tx: Tx, cveIds: readonly string[]): Promise<number>
  /** @throws validation_failed */
  page(query: AlertQuery): Promise<AlertPage>
  /** @throws not_found */
  get(id: string): Promise<Alert>
  /** The alert of an id, or the open one of a CVE, else its newest. @throws validation_failed for what is neither, not_found */
  find(idOrCve: string): Promise<Alert>
  /** @throws not_found, conflict when somebody was faster */
  acknowledge(actor: Actor, id: string): Promise<Alert>
  /** Acknowledges those that are open; the others stay as they are. */
  acknowledgeAll(actor: Actor, ids: readonly string[]): Promise<Acknowledgement>
  /** Acknowledges those that are open, in the caller's transaction. */
  acknowledgeIn(tx: Tx, actor: Actor, ids: readonly string[]): Promise<AlertRow[]>
  /** Those of the alerts that are stored. */
  identify(tx: Tx, ids: readonly string[]): Promise<Pick<Alert, 'id' | 'cve_id'>[]>
  /** Open alerts by priority. */
  countOpen(): Promise<{ priority: AlertPriority; count: number }[]>
}

export type AlertsDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  events: Pick<EventBus, 'publish'>
  /** Whether there is a webhook to tell. */
  hasWebhook: boolean
  /** What is known of CVEs; those that are not stored are left out. */
  describeCves: (cveIds: readonly string[]) => Promise<ReadonlyMap<string, CveFacts>>
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Source: CVE Program, "CVE ID syntax". */
const CVE_ID = /^CVE-\d{4}-\d{4,19}$/

export function createAlertsService({ db, log, clock, audit, events, hasWebhook, describeCves }: AlertsDeps): AlertsService {
  /** @returns those that were open */
  async function acknowledgeIn(tx: Tx, actor: Actor, ids: readonly string[]): Promise<AlertRow[]> {
    const rows = await acknowledgeAlerts(tx.db, ids, { at: clock(), byId: actor.id ?? null, by: actor.name })
    for (const { id, cve_id, priority } of rows) {
      await audit.record(tx, actor, { action: 'alert.acknowledged', target: { type: 'alert', id, name: cve_id } })
      await events.publish(tx, { name: 'alert.acknowledged', data: { alert_id: id, cve_id, priority, actor: actor.name } })
    }
    return rows
  }

  async function get(id: string): Promise<Alert> {
    const row = await findAlert(db, id)
    return await describeOne(row)
  }

  async function describeOne(row: AlertRow | undefined): Promise<Alert> {
    const [alert] = row === undefined ? [] : await describe([row])
    if (alert === undefined) throw new DomainError('not_found', 'There is no such alert.')
    return alert
  }

  /** The alerts with what is known of their CVEs today. */
  async function describe(rows: readonly AlertRow[]): Promise<Alert[]> {
    const facts = rows.length === 0 ? undefined : await describeCves([...new Set(rows.map(({ cve_id }) => cve_id))])
    return rows.map((row) => ({
      ...row,
      ...(facts?.get(row.cve_id) ?? NO_CVE_FACTS),
      state: row.acknowledged_at === null ? 'OPEN' : 'ACKNOWLEDGED',
    }))
  }

  return {
    async raise(tx, alerts) {
      if (alerts.length === 0) return 0
      const given = alerts.map((alert) => ({ ...alert, id: newId(), title: oneLine(alert.title) }))
      const rows = await insertAlerts(tx.db, given, { at: clock(), notification: hasWebhook ? 'PENDING' : 'NONE' })
      for (const { id, cve_id, priority, score } of rows) {
        await events.publish(tx, { name: 'alert.created', data: { alert_id: id, cve_id, priority, score } })
        tx.afterCommit(() => log.info('alert.created', { cve: cve_id, priority, score }))
      }
      return rows.length
    },

    async withdraw(tx, cveIds) {
      const ids = cveIds.length === 0 ? [] : await listOpenAlertIds(tx.db, cveIds)
      return ids.length === 0 ? 0 : (await acknowledgeIn(tx, WORKER_ACTOR, ids)).length
    },

    async page({ cursor, sort: order = 'NEWEST', ...query }) {
      const filter = toFilter(query, clock())
      const sort = parseWord('sort', order, ALERT_SORTS)
      if (sort === 'URGENCY' && filter.state !== 'OPEN')
        throw refuseField('sort', 'Only open alerts stand in order of urgency: add state=OPEN.')
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      const [rows, { total, exact }] = await Promise.all([
        pageAlerts(db, filter, { sort, after, limit: ALERT_PAGE_ROWS + 1 }),
        countAlerts(db, filter),
      ])
      const items = rows.slice(0, ALERT_PAGE_ROWS)
      const last = rows.length > ALERT_PAGE_ROWS ? items.at(-1)?.id : undefined
      return { items: await describe(items), total, total_exact: exact, next: last === undefined ? null : toCursor(last) }
    },

    get,

    async find(idOrCve) {
      const given = idOrCve.trim()
      if (UUID.test(given)) return await get(given)
      if (!CVE_ID.test(given.toUpperCase()))
        throw refuseField('alert', `"${given.slice(0, 40)}" is neither the id of an alert nor of a CVE such as CVE-2021-44228.`)
      return await describeOne(await findAlertOfCve(db, given.toUpperCase()))
    },

    async acknowledge(actor, id) {
      const [row] = await transact(db, log, async (tx) => await acknowledgeIn(tx, actor, [id]))
      if (row !== undefined) return await describeOne(row)
      const { acknowledged_by } = await get(id)
      throw new DomainError('conflict', `The alert has been acknowledged already, by ${acknowledged_by}.`)
    },

    async acknowledgeAll(actor, ids) {
      const wanted = [...new Set(ids)]
      const acknowledged = await transact(db, log, async (tx) => await acknowledgeIn(tx, actor, wanted))
      return { acknowledged: await describe(acknowledged), unchanged: wanted.length - acknowledged.length }
    },

    acknowledgeIn,

    identify: async (tx, ids) => await listNamedAlerts(tx.db, ids),

    countOpen: async () => await countOpenAlerts(db),
  }
}

function toFilter(
  { state, priority, notification, cve_id, kev, min_age_hours }: Omit<AlertQuery, 'cursor' | 'sort'>,
  now: Date,
): AlertFilter {
  return {
    ...(state === undefined ? {} : { state: parseWord('state', state, ALERT_STATES) }),
    ...(priority === undefined ? {} : { priorities: priority.split(',').map((word) => parseWord('priority', word, ALERT_PRIORITIES)) }),
    ...(notification === undefined ? {} : { notification: parseWord('notification', notification, NOTIFICATIONS) }),
    ...(cve_id === undefined ? {} : { cve_id: cve_id.toUpperCase() }),
    ...(kev === undefined ? {} : { kev }),
    ...(min_age_hours === undefined ? {} : { raised_by: new Date(now.getTime() - min_age_hours * MS_PER_HOUR) }),
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= TITLE_MAX_CHARS ? line : `${line.slice(0, TITLE_MAX_CHARS - 1).toWellFormed()}…`
}
