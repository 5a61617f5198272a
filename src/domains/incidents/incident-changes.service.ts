import type { AuditAction } from '#domains/audit/audit.model.ts'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DetailedRefusal, DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Log } from '#platform/logging/logger.ts'
import { insertEntries, listEntriesSince, type NewEntry } from './incident-timeline.store.ts'
import { type Incident, toIncident } from './incident-view.ts'
import type { TimelineEntry } from './incidents.model.ts'
import { findIncident, type IncidentFields, type IncidentRow, lockIncidents, updateIncident } from './incidents.store.ts'

/** What a change does to an incident: what it sets, what the timeline says of it, and what the journal does. */
export type Change = {
  fields?: IncidentFields
  entries: readonly NewEntry[]
  action: AuditAction
  details?: Record<string, string | number>
}

/** How every change of an incident is written: under its row's lock, with its timeline, its journal row and its event. */
export type IncidentChanges = {
  /**
   * Changes one incident. @param version the one that the caller knows, when it matters @param work gives nothing when there is nothing to change
   * @throws not_found, conflict with what changed meanwhile
   */
  change(
    actor: Actor,
    of: { id: string; version?: number | undefined },
    work: (tx: Tx, incident: IncidentRow, at: Date) => Promise<Change | undefined>,
  ): Promise<Incident>
  /** Writes a change of an incident that the transaction holds. */
  write(tx: Tx, actor: Actor, incident: IncidentRow, change: Change & { at: Date }): Promise<void>
  /** The moment of a change: never before the newest row of the timeline, whatever the clock says. */
  momentOf(incident: Pick<IncidentRow, 'updated_at'>): Date
}

/** Rows of the timeline that a refused save shows. Assumption: whoever missed more reads the incident again. */
const MISSED_MAX = 50

export type IncidentChangesDeps = { db: Db; log: Log; clock: Clock; audit: AuditService; events: Pick<EventBus, 'publish'> }

export function createIncidentChanges({ db, log, clock, audit, events }: IncidentChangesDeps): IncidentChanges {
  async function read(tx: Tx, id: string): Promise<Incident> {
    const row = await findIncident(tx.db, id)
    if (row === undefined) throw noSuchIncident()
    return toIncident(row)
  }

  function momentOf({ updated_at }: Pick<IncidentRow, 'updated_at'>): Date {
    return new Date(Math.max(clock().getTime(), updated_at.getTime()))
  }

  const changes: IncidentChanges = {
    momentOf,

    async change(actor, { id, version }, work) {
      return await transact(db, log, async (tx) => {
        const [incident] = await lockIncidents(tx.db, [id])
        if (incident === undefined) throw noSuchIncident()
        if (version !== undefined && version !== incident.version)
          throw staleVersion(await read(tx, id), await listEntriesSince(tx.db, id, version, MISSED_MAX))
        const at = momentOf(incident)
        const change = await work(tx, incident, at)
        if (change !== undefined) await changes.write(tx, actor, incident, { ...change, at })
        return await read(tx, id)
      })
    },

    async write(tx, actor, incident, { fields = {}, entries, action, details = {}, at }) {
      const { id, title } = incident
      const version = incident.version + (Object.keys(fields).length > 0 ? 1 : 0)
      const eventCount = incident.event_count + entries.length
      await updateIncident(tx.db, id, { ...fields, version, event_count: eventCount, at })
      await insertEntries(tx.db, entries, {
        ...{ incidentId: id, lastSeq: incident.event_count, version, at },
        ...{ actorId: actor.id ?? null, actorName: actor.name },
      })
      await audit.record(tx, actor, { action, target: { type: 'incident', id, name: title }, details: { ...details, version } })
      const { status, severity, level } = { ...incident, ...fields }
      await events.publish(tx, {
        name: 'incident.updated',
        data: { incident_id: id, status, severity, level, version, event_count: eventCount, actor: actor.name },
      })
    },
  }
  return changes
}

export function noSuchIncident(): DomainError {
  return new DomainError('not_found', 'There is no such incident.')
}

function staleVersion(incident: Incident, changes: readonly TimelineEntry[]): DetailedRefusal {
  const actors = [...new Set(changes.map(({ actor }) => actor))].join(', ')
  const who = actors === '' ? 'Somebody' : actors
  return new DetailedRefusal(
    'conflict',
    `${who} changed the incident after you had read it. Nothing was saved: look at what changed, and save again.`,
    { incident, changes },
  )
}
