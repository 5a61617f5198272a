import { refuseField } from '#kernel/errors.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { toMoment } from './sources/nvd-record.ts'
import { ALERT_FILTERS, type AlertFilterWord, PRIORITIES, type Priority } from './vulnerabilities.model.ts'

/** Conditions of the CVE list as they are asked for; `priority` and `status` may name several, separated by commas. */
export type CveConditions = {
  q?: string
  priority?: string
  kev?: boolean
  ransomware?: boolean
  exploit?: boolean
  /** EPSS probability, 0 to 1. A CVE without one is below every bound. */
  min_epss?: number
  /** 0 to 10. */
  min_cvss?: number
  status?: string
  vendor?: string
  product?: string
  /** A day or a moment. */
  published_since?: string
  modified_since?: string
  /** The first and the last day on which CISA wants it mended. */
  due_from?: string
  due_to?: string
  alert?: string
}

/** The same, checked. */
export type CveFilter = {
  /** Of an identifier, such as `CVE-2031-1`. */
  idBeginning?: string
  /** What the description holds. */
  text?: string
  priorities?: Priority[]
  kev?: boolean
  ransomware?: boolean
  exploit?: boolean
  minEpss?: number
  minCvss?: number
  statuses?: string[]
  vendor?: string
  product?: string
  publishedSince?: Date
  modifiedSince?: Date
  dueFrom?: string
  dueTo?: string
  alert?: AlertFilterWord
}

/** Source: NVD, "Vulnerability Status"; a rejected CVE is never stored. */
const STATUSES = ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Analyzed', 'Modified', 'Deferred']
/** Words of one condition. Assumption: NVD knows seven. */
const MAX_STATUSES = 20
const MAX_SHOWN_CHARS = 40
const ID_BEGINNING = /^(?:cve-)?(\d{4}-\d*)$/i

/** @throws validation_failed naming the condition */
export function toCveFilter(given: CveConditions): CveFilter {
  const { kev, ransomware, exploit, min_epss, min_cvss } = given
  const q = textOf('q', given.q)
  const year = q === undefined ? undefined : ID_BEGINNING.exec(q)?.[1]
  const texts = {
    idBeginning: year === undefined ? undefined : `CVE-${year}`,
    text: year === undefined ? q : undefined,
    vendor: textOf('vendor', given.vendor),
    product: textOf('product', given.product),
  }
  return withoutUndefined({
    ...texts,
    priorities: wordsOf('priority', given.priority)?.map((word) => parseWord('priority', word.slice(0, MAX_SHOWN_CHARS), PRIORITIES)),
    kev,
    ransomware,
    exploit,
    minEpss: boundOf('min_epss', min_epss, 1),
    minCvss: boundOf('min_cvss', min_cvss, 10),
    statuses: wordsOf('status', given.status)?.map(toStatus),
    publishedSince: momentOf('published_since', given.published_since),
    modifiedSince: momentOf('modified_since', given.modified_since),
    dueFrom: dayOf('due_from', given.due_from),
    dueTo: dayOf('due_to', given.due_to),
    alert: given.alert === undefined ? undefined : parseWord('alert', given.alert.slice(0, MAX_SHOWN_CHARS), ALERT_FILTERS),
  })
}

/** As it is stored: NVD's words in any case, others as they stand. */
function toStatus(word: string): string {
  return STATUSES.find((status) => status.toLowerCase() === word.toLowerCase()) ?? word
}

type Defined<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

function withoutUndefined<Given extends Record<string, unknown>>(given: Given): Defined<Given> {
  // Only members without a value are left out.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}

function textOf(field: string, given: string | undefined): string | undefined {
  const text = given?.trim()
  if (text?.includes('\0') === true) throw refuseField(field, 'The text holds a NUL character, which no stored text does.')
  return text === '' ? undefined : text
}

function wordsOf(field: string, given: string | undefined): string[] | undefined {
  const words = textOf(field, given)
    ?.split(',')
    .map((word) => word.trim())
  if (words !== undefined && words.length > MAX_STATUSES) throw refuseField(field, `Name at most ${MAX_STATUSES}.`)
  return words
}

function boundOf(field: string, given: number | undefined, max: number): number | undefined {
  if (given !== undefined && !(given >= 0 && given <= max)) throw refuseField(field, `Give a number from 0 to ${max}.`)
  return given
}

function momentOf(field: string, given: string | undefined): Date | undefined {
  const text = given?.trim()
  if (text === undefined || text === '') return undefined
  const moment = toMoment(text)
  if (moment === undefined)
    throw refuseField(field, `"${text.slice(0, MAX_SHOWN_CHARS)}" is not a day or a moment such as 2026-01-31 or 2026-01-31T12:00:00Z.`)
  return moment
}

function dayOf(field: string, given: string | undefined): string | undefined {
  const day = momentOf(field, given)
  return day?.toISOString().slice(0, 10)
}
