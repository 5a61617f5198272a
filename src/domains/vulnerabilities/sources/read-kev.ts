import { DomainError } from '#kernel/errors.ts'
import { isTooDeep } from '#kernel/json-scanner.ts'
import { isObject } from '../applicability/configurations.ts'
import { CVE_ID } from '../vulnerabilities.model.ts'
import { cleanText } from './clean-text.ts'

/** One known exploited vulnerability. Dates are days, `YYYY-MM-DD`. */
export type KevEntry = {
  cveId: string
  vendorProject: string
  product: string
  name: string
  dateAdded: string
  /** Null since the federal deadline may be left out. */
  dueDate: string | null
  requiredAction: string
  ransomware: boolean
}
export type KevCatalogue = { version: string; entries: KevEntry[] }

/** Characters of a catalogue. Source: 1.3 million with 1,404 entries; Assumption: ten times as many entries and room. */
export const MAX_CATALOGUE_CHARS = 33_554_432
const MAX_TEXT_CHARS = 4000
const DAY = /^\d{4}-\d{2}-\d{2}/
/** So many entries may leave at once without a doubt about the file; or this share, whichever is more. Source: docs/decisions/0016. */
const MAX_REMOVALS = 5
const MAX_REMOVED_SHARE = 0.01

/**
 * CISA's catalogue of known exploited vulnerabilities. Only a whole one is believed, because what is not on it is taken off: `count` must
 * be the number of entries and every id a CVE's.
 *
 * Source: CISA, known_exploited_vulnerabilities_schema.json; due date, ransomware, notes and CWEs are optional.
 * @throws source_malformed with the reason
 */
export function parseKevCatalogue(text: string): KevCatalogue {
  const raw = parseBounded(text)
  if (!isObject(raw) || !Array.isArray(raw['vulnerabilities'])) throw refused('it holds no list of vulnerabilities')
  const list: unknown[] = raw['vulnerabilities']
  if (list.length === 0) throw refused('it is empty')
  if (raw['count'] !== undefined && raw['count'] !== list.length)
    throw refused(`it says that it has ${String(raw['count']).slice(0, 20)} entries and has ${list.length}`)
  const entries = list.map(toEntry)
  if (new Set(entries.map(({ cveId }) => cveId)).size !== entries.length) throw refused('it names a CVE twice')
  return { version: textOf(raw['catalogVersion']), entries }
}

/**
 * Refuses a catalogue that takes off more entries at once than ever happened: one in eight months of publications.
 *
 * @throws source_malformed
 */
export function requireBelievableRemovals(stored: number, removed: number): void {
  const most = Math.max(MAX_REMOVALS, Math.floor(stored * MAX_REMOVED_SHARE))
  if (removed > most) throw refused(`it would take off ${removed} of ${stored} entries, and more than ${most} at once are not believed`)
}

function parseBounded(text: string): unknown {
  if (text.length > MAX_CATALOGUE_CHARS) throw refused(`it is longer than ${MAX_CATALOGUE_CHARS} characters`)
  if (isTooDeep(text)) throw refused('it nests too deep')
  try {
    return JSON.parse(text)
  } catch {
    throw refused('it is no whole JSON document')
  }
}

function toEntry(raw: unknown, at: number): KevEntry {
  const entry = isObject(raw) ? raw : {}
  const cveId = typeof entry['cveID'] === 'string' ? entry['cveID'].trim().toUpperCase() : ''
  if (!CVE_ID.test(cveId)) throw refused(`its entry ${at + 1} has no CVE identifier`)
  const dateAdded = dayOf(entry['dateAdded'])
  if (dateAdded === null) throw refused(`its entry ${at + 1} (${cveId}) has no date`)
  return {
    cveId,
    vendorProject: textOf(entry['vendorProject']),
    product: textOf(entry['product']),
    name: textOf(entry['vulnerabilityName']),
    dateAdded,
    dueDate: dayOf(entry['dueDate']),
    requiredAction: textOf(entry['requiredAction']),
    ransomware: entry['knownRansomwareCampaignUse'] === 'Known',
  }
}

function dayOf(raw: unknown): string | null {
  const [day] = typeof raw === 'string' ? (DAY.exec(raw) ?? []) : []
  return day === undefined || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day ? null : day
}

function textOf(raw: unknown): string {
  return typeof raw === 'string' ? cleanText(raw.slice(0, MAX_TEXT_CHARS)) : ''
}

function refused(why: string): DomainError {
  return new DomainError('source_malformed', `The KEV catalogue is not believed: ${why}. What is stored stays as it is.`)
}
