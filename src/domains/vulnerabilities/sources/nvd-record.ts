import { toAffected } from '../applicability/cna-affected.ts'
import { isObject, objectsOf, toConfigurations } from '../applicability/configurations.ts'
import { chooseCvss } from '../score/choose-cvss.ts'
import { CVE_ID, type Ssvc } from '../vulnerabilities.model.ts'
import { cleanText } from './clean-text.ts'
import type { ReadRecord } from './cve-record.ts'
import { hasPublicExploit, toReferences } from './references.ts'

const MAX_DESCRIPTION_CHARS = 16_000
const MAX_WORD_CHARS = 100
const MAX_CWES = 50
const CWE = /^CWE-\d{1,6}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * One record of NVD's CVE API 2.0, with or without its `{"cve": …}` wrapper, judged as hostile: unknown fields, unknown words and wrong
 * shapes cost themselves alone. Only an id and a moment of change are needed.
 *
 * Source: NVD CVE API 2.0 as of June 2026, `cve.affected` and `metrics.ssvcV203` included.
 */
export function toCveRecord(raw: unknown): ReadRecord {
  const cve = isObject(raw) && isObject(raw['cve']) ? raw['cve'] : raw
  if (!isObject(cve)) return { kind: 'refused', id: undefined, reason: 'it is no object' }
  const id = typeof cve['id'] === 'string' ? cve['id'].trim().toUpperCase() : ''
  if (!CVE_ID.test(id)) return { kind: 'refused', id: undefined, reason: 'it has no CVE identifier' }
  const lastModified = toMoment(cve['lastModified']) ?? toMoment(cve['published'])
  if (lastModified === undefined) return { kind: 'refused', id, reason: 'it does not say when it was changed' }
  const status = shortText(cve['vulnStatus']) ?? 'Unknown'
  if (status.toLowerCase() === 'rejected') return { kind: 'rejected', id, lastModified }
  const references = toReferences(cve['references'])
  return {
    kind: 'cve',
    cve: {
      id,
      status,
      published: toMoment(cve['published']) ?? lastModified,
      lastModified,
      description: englishOf(cve['descriptions']),
      tags: tagsOf(cve['cveTags']),
      cwes: cwesOf(cve['weaknesses']),
      cvss: chooseCvss(cve['metrics']),
      ssvc: ssvcOf(cve['metrics']),
      exploit: hasPublicExploit(references),
      references,
      configurations: toConfigurations(cve['configurations']),
      affected: toAffected(cve['affected']),
    },
  }
}

/** NVD writes moments of UTC without a zone. */
export function toMoment(raw: unknown): Date | undefined {
  const match = typeof raw === 'string' ? MOMENT.exec(raw) : null
  if (match === null) return undefined
  const [text, time, zone] = match
  const moment = new Date(time === undefined || zone !== undefined ? text : `${text}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

function englishOf(descriptions: unknown): string {
  const entries = objectsOf(descriptions)
  const english = entries.find(({ lang }) => lang === 'en') ?? entries.find(({ lang }) => typeof lang === 'string' && lang.startsWith('en'))
  const value = english?.['value']
  return typeof value === 'string' ? cleanText(value.slice(0, MAX_DESCRIPTION_CHARS)) : ''
}

function tagsOf(cveTags: unknown): string[] {
  const tags = objectsOf(cveTags).flatMap((entry) => (Array.isArray(entry['tags']) ? entry['tags'] : []))
  return [...new Set(tags.flatMap((tag) => shortText(tag) ?? []))].slice(0, MAX_CWES).sort()
}

function cwesOf(weaknesses: unknown): string[] {
  const values = objectsOf(weaknesses).flatMap(({ description }) => objectsOf(description).map(({ value }) => value))
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && CWE.test(value)))].slice(0, MAX_CWES).sort()
}

function ssvcOf(metrics: unknown): Ssvc | undefined {
  const [entry] = isObject(metrics) ? objectsOf(metrics['ssvcV203']) : []
  const data = isObject(entry?.['ssvcData']) ? entry['ssvcData'] : {}
  const answers = Object.assign({}, ...objectsOf(data['options'])) as Record<string, unknown>
  const exploitation = shortText(answers['exploitation'])
  const automatable = shortText(answers['automatable'])
  const impact = shortText(answers['technicalImpact'])
  const ssvc = {
    ...(exploitation === undefined ? {} : { exploitation }),
    ...(automatable === undefined ? {} : { automatable }),
    ...(impact === undefined ? {} : { technical_impact: impact }),
  }
  return Object.keys(ssvc).length === 0 ? undefined : ssvc
}

function shortText(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw !== '' && raw.length <= MAX_WORD_CHARS ? cleanText(raw) : undefined
}
