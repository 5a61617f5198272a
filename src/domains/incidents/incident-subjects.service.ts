import type { Alert, AlertsService } from '#domains/alerts/alerts.service.ts'
import type { IndicatorsService } from '#domains/indicators/indicators.service.ts'
import type { CvesService } from '#domains/vulnerabilities/cves.service.ts'
import { DomainError, type FieldError } from '#kernel/errors.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { NewEntry } from './incident-timeline.store.ts'

/** What an incident is to be about, as it is asked for. */
export type SubjectIds = { cve_ids?: readonly string[]; indicator_ids?: readonly string[]; alert_ids?: readonly string[] }
/** The same, known to be stored. The CVE of an alert is one of the CVEs. */
export type Subjects = { cves: string[]; indicators: { id: string; value: string }[]; alerts: Pick<Alert, 'id' | 'cve_id'>[] }

export type SubjectsDeps = {
  cves: Pick<CvesService, 'identify'>
  indicators: Pick<IndicatorsService, 'identify'>
  alerts: Pick<AlertsService, 'identify'>
}

/** Looks every one of them up before anything is written. @throws validation_failed naming each that is not stored */
export async function findSubjects({ cves, indicators, alerts }: SubjectsDeps, tx: Tx, given: SubjectIds): Promise<Subjects> {
  const cveIds = [...new Set((given.cve_ids ?? []).map((id) => id.toUpperCase()))]
  const indicatorIds = [...new Set((given.indicator_ids ?? []).map((id) => id.toLowerCase()))]
  const alertIds = [...new Set((given.alert_ids ?? []).map((id) => id.toLowerCase()))]
  const found = {
    cves: cveIds.length === 0 ? [] : await cves.identify(tx, cveIds),
    indicators: indicatorIds.length === 0 ? [] : await indicators.identify(tx, indicatorIds),
    alerts: alertIds.length === 0 ? [] : await alerts.identify(tx, alertIds),
  }
  const faults = [
    ...missing('cve_ids', cveIds, new Set(found.cves)),
    ...missing('indicator_ids', indicatorIds, new Set(found.indicators.map(({ id }) => id))),
    ...missing('alert_ids', alertIds, new Set(found.alerts.map(({ id }) => id))),
  ]
  if (faults.length > 0)
    throw new DomainError(
      'validation_failed',
      `Nothing was saved: ${faults.map(({ message }) => message).join(' ')}`.slice(0, DETAIL_MAX_CHARS),
      faults,
    )
  // An alert vouches for its CVE, which may have been withdrawn since.
  return { ...found, cves: [...new Set([...found.cves, ...found.alerts.map(({ cve_id }) => cve_id)])] }
}

/** Characters of the sentence; the fields name every one. */
const DETAIL_MAX_CHARS = 500

function missing(field: string, asked: readonly string[], found: ReadonlySet<string>): FieldError[] {
  return asked.filter((id) => !found.has(id)).map((id) => ({ field, code: 'not_found', message: `${id} is not stored.` }))
}

/** What the timeline says of new links. */
export function entriesOfLinks({ cves, indicators }: Pick<Subjects, 'cves' | 'indicators'>): NewEntry[] {
  return [
    ...cves.map((to) => ({ kind: 'CVE_LINKED', to }) as const),
    ...indicators.map(({ id, value }) => ({ kind: 'IOC_LINKED', to: value, indicator_id: id }) as const),
  ]
}
