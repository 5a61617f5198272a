import type { AnalystsService } from '#domains/accounts/analysts.service.ts'
import type { AlertsService } from '#domains/alerts/alerts.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import { type IncidentChanges, type IncidentChangesDeps, noSuchIncident } from './incident-changes.service.ts'
import { linkAlerts, linkCves, linkIndicators } from './incident-links.store.ts'
import { entriesOfLinks, findSubjects, type SubjectIds, type SubjectsDeps } from './incident-subjects.service.ts'
import { insertEntries, type NewEntry } from './incident-timeline.store.ts'
import { type Incident, toIncident } from './incident-view.ts'
import {
  DESCRIPTION_MAX_CHARS,
  INCIDENT_SEVERITIES,
  INCIDENT_STEPS,
  type IncidentSeverity,
  NOTE_MAX_CHARS,
  REASON_MAX_CHARS,
  REASON_MIN_CHARS,
  RESOLUTIONS,
  TITLE_MAX_CHARS,
} from './incidents.model.ts'
import { findIncident, type IncidentFields, type IncidentRow, insertIncident, lockIncidents, updateIncident } from './incidents.store.ts'
import { judgeMove, nextLevel, requireOpen } from './lifecycle.ts'
import { cleanLine, cleanText } from './written-text.ts'

export type IncidentInput = SubjectIds & {
  title: string
  description?: string
  severity?: string
  assignee_id?: string | null
  /** Also acknowledges the alerts that it is opened from. */
  acknowledge_alerts?: boolean
}
/** The incident that is to be changed, and the version of it that the caller knows. */
export type IncidentRef = { id: string; version?: number | undefined }
export type TransitionInput = { to: string; comment?: string; summary?: string; resolution?: string }
export type BulkAssignment = { assigned: Incident[]; unchanged: number }

export type IncidentsService = {
  /** Opens an incident. @throws validation_failed when anything that it is to be about is not stored; then nothing is written */
  open(actor: Actor, input: IncidentInput): Promise<Incident>
  /** Title and severity. @throws not_found, conflict, validation_failed */
  edit(actor: Actor, ref: IncidentRef, input: { title?: string; severity?: string }): Promise<Incident>
  /** @throws not_found, conflict, invalid_transition, validation_failed */
  move(actor: Actor, ref: IncidentRef, input: TransitionInput): Promise<Incident>
  /** @param assigneeId null for nobody @throws not_found, conflict, invalid_transition when it is closed, validation_failed */
  assign(actor: Actor, ref: IncidentRef, assigneeId: string | null): Promise<Incident>
  /** Assigns those that are open; the others stay as they are. @throws validation_failed */
  assignAll(actor: Actor, ids: readonly string[], assigneeId: string | null): Promise<BulkAssignment>
  /** One level up. @throws not_found, conflict, invalid_transition when it is closed or at the last level, validation_failed */
  escalate(actor: Actor, ref: IncidentRef, input: { reason: string; assignee_id?: string }): Promise<Incident>
  /** @throws not_found, invalid_transition when it is closed, validation_failed */
  comment(actor: Actor, id: string, text: string): Promise<Incident>
  /** What somebody says to have done elsewhere; the service does nothing by it. @throws as `comment` */
  declareAction(actor: Actor, id: string, text: string): Promise<Incident>
}

export type IncidentsDeps = IncidentChangesDeps &
  SubjectsDeps & {
    changes: IncidentChanges
    analysts: Pick<AnalystsService, 'find'>
    alerts: Pick<AlertsService, 'identify' | 'acknowledgeIn'>
  }

export function createIncidentsService(deps: IncidentsDeps): IncidentsService {
  const { db, log, clock, audit, events, changes, analysts, alerts } = deps

  /** @returns the name of whoever is to get the work @throws validation_failed */
  async function nameOf(tx: Tx, assigneeId: string | null | undefined): Promise<string | null> {
    if (assigneeId === null || assigneeId === undefined) return null
    const analyst = await analysts.find(tx, assigneeId)
    if (analyst === undefined)
      throw refuseField('assignee_id', 'This is not an active account with the role ADMIN or ANALYST.', 'not_found')
    return analyst.username
  }

  /** Undefined when it is that already. */
  function assignment(incident: IncidentRow, to: { id: string | null; name: string | null }, at: Date) {
    if (incident.assignee_id === to.id) return undefined
    const fields: IncidentFields = { assignee_id: to.id, ...(to.id === null ? {} : takenIn(incident, at)) }
    return { fields, entries: [{ kind: 'ASSIGNED', from: incident.assignee, to: to.name } as const], action: 'incident.assigned' as const }
  }

  async function note(actor: Actor, id: string, kind: 'COMMENT' | 'ACTION_DECLARED', given: string): Promise<Incident> {
    const field = kind === 'COMMENT' ? 'comment' : 'action'
    const text = cleanText(field, given, { min: 1, max: NOTE_MAX_CHARS })
    return await changes.change(actor, { id }, async (_tx, { status }) => {
      requireOpen(status, field)
      return { entries: [{ kind, note: text }], action: 'incident.commented', details: { kind } }
    })
  }

  return {
    async open(actor, input) {
      const title = cleanLine('title', input.title, { min: 1, max: TITLE_MAX_CHARS })
      const description = cleanText('description', input.description ?? '', { max: DESCRIPTION_MAX_CHARS })
      const severity = input.severity === undefined ? DEFAULT_SEVERITY : parseWord('severity', input.severity, INCIDENT_SEVERITIES)
      return await transact(db, log, async (tx) => {
        const subjects = await findSubjects(deps, tx, input)
        const assigneeId = input.assignee_id ?? null
        const assignee = await nameOf(tx, assigneeId)
        const [id, at] = [newId(), clock()]
        const by = { opened_by_id: actor.id ?? null, opened_by: actor.name }
        await insertIncident(tx.db, { id, title, description, severity, assignee_id: assigneeId, ...by, at })
        await linkCves(tx.db, id, subjects.cves, at)
        await linkIndicators(
          tx.db,
          id,
          subjects.indicators.map((indicator) => indicator.id),
          at,
        )
        const alertIds = subjects.alerts.map((alert) => alert.id)
        await linkAlerts(tx.db, id, alertIds)
        const entries: NewEntry[] = [
          { kind: 'CREATED', to: title, note: description === '' ? null : description },
          ...entriesOfLinks(subjects),
          ...(assignee === null ? [] : [{ kind: 'ASSIGNED', from: null, to: assignee } as const]),
        ]
        await insertEntries(tx.db, entries, {
          ...{ incidentId: id, lastSeq: 0, version: 1, at },
          ...{ actorId: actor.id ?? null, actorName: actor.name },
        })
        await updateIncident(tx.db, id, { version: 1, event_count: entries.length, at })
        if (input.acknowledge_alerts === true) await alerts.acknowledgeIn(tx, actor, alertIds)
        await audit.record(tx, actor, {
          action: 'incident.created',
          target: { type: 'incident', id, name: title },
          details: { severity, cves: subjects.cves.length, iocs: subjects.indicators.length, alerts: alertIds.length },
        })
        await events.publish(tx, {
          name: 'incident.created',
          data: { incident_id: id, status: 'OPEN', severity, level: 'L1', version: 1, event_count: entries.length, actor: actor.name },
        })
        return await readBack(tx, id)
      })
    },

    async edit(actor, ref, input) {
      const title = input.title === undefined ? undefined : cleanLine('title', input.title, { min: 1, max: TITLE_MAX_CHARS })
      const severity = input.severity === undefined ? undefined : parseWord('severity', input.severity, INCIDENT_SEVERITIES)
      return await changes.change(actor, ref, async (_tx, incident) => {
        requireOpen(incident.status, 'change')
        const fields: IncidentFields = {}
        const entries: NewEntry[] = []
        if (title !== undefined && title !== incident.title) {
          fields.title = title
          entries.push({ kind: 'TITLE_CHANGED', from: incident.title, to: title })
        }
        if (severity !== undefined && severity !== incident.severity) {
          fields.severity = severity
          entries.push({ kind: 'SEVERITY_CHANGED', from: incident.severity, to: severity })
        }
        return entries.length === 0 ? undefined : { fields, entries, action: 'incident.updated', details: changedOf(fields) }
      })
    },

    async move(actor, ref, { to, comment, summary, resolution }) {
      const request = {
        to: parseWord('to', to, INCIDENT_STEPS),
        comment: comment === undefined ? undefined : cleanText('comment', comment, { max: NOTE_MAX_CHARS }),
        summary: summary === undefined ? undefined : cleanText('summary', summary, { max: NOTE_MAX_CHARS }),
        resolution: resolution === undefined ? undefined : parseWord('resolution', resolution, RESOLUTIONS),
      }
      return await changes.change(actor, ref, async (_tx, incident, at) => {
        const { kind, note: said, closing } = judgeMove(incident.status, request)
        const fields: IncidentFields = { status: request.to, ...takenIn(incident, at) }
        if (closing !== undefined) Object.assign(fields, { ...closing, closed_at: at })
        if (kind === 'REOPENED')
          Object.assign(fields, { closed_at: null, summary: null, resolution: null, reopen_count: incident.reopen_count + 1 })
        const resolved = closing === undefined ? {} : { resolution: closing.resolution }
        return {
          fields,
          entries: [{ kind, from: incident.status, to: request.to, note: said, ...resolved }],
          action: 'incident.moved',
          details: { from: incident.status, to: request.to, ...resolved },
        }
      })
    },

    async assign(actor, ref, assigneeId) {
      return await changes.change(actor, ref, async (tx, incident, at) => {
        requireOpen(incident.status, 'assignment')
        return assignment(incident, { id: assigneeId, name: await nameOf(tx, assigneeId) }, at)
      })
    },

    async assignAll(actor, ids, assigneeId) {
      const wanted = [...new Set(ids)]
      return await transact(db, log, async (tx) => {
        const to = { id: assigneeId, name: await nameOf(tx, assigneeId) }
        const assigned: Incident[] = []
        for (const incident of await lockIncidents(tx.db, wanted)) {
          const at = changes.momentOf(incident)
          const change = incident.status === 'CLOSED' ? undefined : assignment(incident, to, at)
          if (change === undefined) continue
          await changes.write(tx, actor, incident, { ...change, at })
          assigned.push(await readBack(tx, incident.id))
        }
        return { assigned, unchanged: wanted.length - assigned.length }
      })
    },

    async escalate(actor, ref, input) {
      const reason = cleanText('reason', input.reason, { min: REASON_MIN_CHARS, max: REASON_MAX_CHARS })
      return await changes.change(actor, ref, async (tx, incident, at) => {
        requireOpen(incident.status, 'escalation')
        const level = nextLevel(incident.level)
        // Whoever had it works on the level below.
        const to = { id: input.assignee_id ?? null, name: await nameOf(tx, input.assignee_id) }
        const handover = assignment(incident, to, at)
        return {
          fields: { ...handover?.fields, level },
          entries: [{ kind: 'ESCALATED', from: incident.level, to: level, note: reason }, ...(handover?.entries ?? [])],
          action: 'incident.escalated',
          details: { from: incident.level, to: level },
        }
      })
    },

    comment: async (actor, id, text) => await note(actor, id, 'COMMENT', text),
    declareAction: async (actor, id, text) => await note(actor, id, 'ACTION_DECLARED', text),
  }
}

/** What an incident is when nobody says. Source: spec, "IOC", whose default is the same. */
const DEFAULT_SEVERITY: IncidentSeverity = 'MEDIUM'

/** Whoever assigns or moves it first has taken it in. */
function takenIn({ acknowledged_at }: IncidentRow, at: Date): IncidentFields {
  return acknowledged_at === null ? { acknowledged_at: at } : {}
}

function changedOf({ title, severity }: IncidentFields): Record<string, string> {
  return { ...(title === undefined ? {} : { title }), ...(severity === undefined ? {} : { severity }) }
}

async function readBack(tx: Tx, id: string): Promise<Incident> {
  const row = await findIncident(tx.db, id)
  if (row === undefined) throw noSuchIncident()
  return toIncident(row)
}
