import type { Actor } from '#kernel/actor.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { IncidentChanges } from './incident-changes.service.ts'
import { countLinks, linkCves, linkIndicators, unlinkCve, unlinkIndicator } from './incident-links.store.ts'
import { entriesOfLinks, findSubjects, type SubjectIds, type SubjectsDeps } from './incident-subjects.service.ts'
import type { Incident } from './incident-view.ts'
import { LINKED_MAX } from './incidents.model.ts'
import { requireOpen } from './lifecycle.ts'

/** What an incident is about. Every change of it stands in the timeline; none of them makes a version stale. */
export type IncidentLinksService = {
  /** Links CVEs and IOCs; those that are linked already stay. @throws not_found, invalid_transition when it is closed, validation_failed */
  link(actor: Actor, id: string, subjects: Pick<SubjectIds, 'cve_ids' | 'indicator_ids'>): Promise<Incident>
  /** @throws not_found, also when it is not linked; invalid_transition when the incident is closed */
  unlinkCve(actor: Actor, id: string, cveId: string): Promise<Incident>
  /** @throws as `unlinkCve` */
  unlinkIndicator(actor: Actor, id: string, indicatorId: string): Promise<Incident>
}

export function createIncidentLinks(deps: SubjectsDeps & { changes: IncidentChanges }): IncidentLinksService {
  const { changes } = deps

  async function requireRoom(tx: Tx, id: string): Promise<void> {
    const { cves, indicators } = await countLinks(tx.db, id)
    if (cves > LINKED_MAX) throw refuseField('cve_ids', `An incident is about at most ${LINKED_MAX} CVEs.`)
    if (indicators > LINKED_MAX) throw refuseField('indicator_ids', `An incident is about at most ${LINKED_MAX} IOCs.`)
  }

  return {
    async link(actor, id, given) {
      return await changes.change(actor, { id }, async (tx, { status }, at) => {
        requireOpen(status, 'link')
        const subjects = await findSubjects(deps, tx, given)
        const cves = await linkCves(tx.db, id, subjects.cves, at)
        const linked = new Set(
          await linkIndicators(
            tx.db,
            id,
            subjects.indicators.map((indicator) => indicator.id),
            at,
          ),
        )
        const indicators = subjects.indicators.filter((indicator) => linked.has(indicator.id))
        if (cves.length + indicators.length === 0) return undefined
        await requireRoom(tx, id)
        return {
          entries: entriesOfLinks({ cves, indicators }),
          action: 'incident.linked',
          details: { cves: cves.length, iocs: indicators.length },
        }
      })
    },

    async unlinkCve(actor, id, given) {
      const cveId = given.toUpperCase()
      return await changes.change(actor, { id }, async (tx, { status }) => {
        requireOpen(status, 'link')
        if (!(await unlinkCve(tx.db, id, cveId))) throw notLinked(cveId)
        return { entries: [{ kind: 'CVE_UNLINKED', from: cveId }], action: 'incident.unlinked', details: { cve: cveId } }
      })
    },

    async unlinkIndicator(actor, id, indicatorId) {
      return await changes.change(actor, { id }, async (tx, { status }) => {
        requireOpen(status, 'link')
        const value = await unlinkIndicator(tx.db, id, indicatorId)
        if (value === undefined) throw notLinked('This IOC')
        return {
          entries: [{ kind: 'IOC_UNLINKED', from: value, indicator_id: indicatorId }],
          action: 'incident.unlinked',
          details: { indicator_id: indicatorId },
        }
      })
    },
  }
}

function notLinked(what: string): DomainError {
  return new DomainError('not_found', `${what} is not linked to the incident.`)
}
