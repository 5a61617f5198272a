import * as z from 'zod/mini'
import type { CveQuery, Priority } from '../../api/cves.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'
import type { SortState } from '../../ui/data-table.types.ts'

/** Most urgent first. */
export const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const satisfies readonly Priority[]

/** Longest text that the API searches for, and longest cursor, characters. Source: src/domains/vulnerabilities/cves.schemas.ts. */
const TEXT_MAX_CHARACTERS = 200
const CURSOR_MAX_CHARACTERS = 400

/** What the API sorts by, and the direction that is asked for first. Source: src/domains/vulnerabilities/list-order.ts. */
export const SORTS = {
  score: 'desc',
  priority: 'asc',
  kev: 'desc',
  due: 'asc',
  epss: 'desc',
  cvss: 'desc',
  exploit: 'desc',
  published: 'desc',
  modified: 'desc',
  id: 'desc',
} as const satisfies Record<string, SortState['direction']>
export type SortColumn = keyof typeof SORTS
/** Columns of one order. Source: the same. */
export const MAX_SORTS = 4
const DEFAULT_SORT: readonly string[] = ['-score']

const isSort = (word: string) => Object.hasOwn(SORTS, word.replace(/^-/, ''))
/** `-kev,due`; unknown and repeated columns are dropped. */
const sortParam = z.pipe(
  z.transform((raw: unknown): string[] => {
    const words = (Array.isArray(raw) ? raw.map(String) : String(raw).split(',')).filter(isSort)
    return words
      .filter((word, at) => words.findIndex((other) => other.replace('-', '') === word.replace('-', '')) === at)
      .slice(0, MAX_SORTS)
  }),
  z.custom<string[]>((words) => Array.isArray(words) && words.length > 0),
)

const cveParam = z.pipe(
  z.transform((raw: unknown) => String(raw).toUpperCase()),
  z.string().check(z.regex(/^CVE-\d{4}-\d{4,19}$/)),
)

/** Words of NVD for how far it is with a CVE. Source: NVD, "Vulnerability Status". */
export const STATUSES = ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Analyzed', 'Modified', 'Deferred'] as const
export const KEV_CHOICES = ['yes', 'ransomware', 'no'] as const
export const ALERT_CHOICES = ['open', 'any', 'none'] as const
/** Lowest probabilities in per cent, lowest scores, and days before today that a reader may choose. Assumption: the steps of FIRST and of CVSS. */
export const EPSS_CHOICES = ['1', '10', '50', '90'] as const
export const CVSS_CHOICES = ['4', '7', '9'] as const
export const DAYS_CHOICES = ['7', '30', '90', '365'] as const
/** Due days that have passed, or that are within so many days. */
export const DUE_CHOICES = ['over', '7', '30'] as const

const SHAPE = {
  q: textParam(TEXT_MAX_CHARACTERS),
  priority: choicesParam(PRIORITIES),
  kev: choiceParam(KEV_CHOICES),
  exploit: choiceParam(['yes', 'no']),
  product: textParam(TEXT_MAX_CHARACTERS),
  vendor: textParam(TEXT_MAX_CHARACTERS),
  epss: choiceParam(EPSS_CHOICES),
  cvss: choiceParam(CVSS_CHOICES),
  status: choicesParam(STATUSES),
  published: choiceParam(DAYS_CHOICES),
  modified: choiceParam(DAYS_CHOICES),
  due: choiceParam(DUE_CHOICES),
  alert: choiceParam(ALERT_CHOICES),
  sort: sortParam,
  cursor: textParam(CURSOR_MAX_CHARACTERS),
  open: cveParam,
}

/** Filters, place in the list and open row of the CVEs screen. */
export type CvesSearch = SearchOf<typeof SHAPE>
export const parseCvesSearch: (raw: Record<string, unknown>) => CvesSearch = searchSchema(SHAPE)

/** Filters behind the button for more of them. */
const FURTHER = ['product', 'vendor', 'epss', 'cvss', 'status', 'published', 'modified', 'due', 'alert'] as const
const FILTERS = ['q', 'priority', 'kev', 'exploit', ...FURTHER] as const

/** What a changed filter sets back: another list has other pages. */
export const NO_FILTERS: CvesSearch = { ...Object.fromEntries(FILTERS.map((filter) => [filter, undefined])), cursor: undefined }

/** Lists that are worth a name. A view is nothing but its filters, so that it can be sent as a link. */
export const VIEWS = [
  { id: 'all', search: {} },
  { id: 'urgent', search: { priority: ['P0', 'P1'] } },
  { id: 'exploited', search: { kev: 'yes' } },
  { id: 'dueSoon', search: { due: '7' } },
  { id: 'likely', search: { priority: ['P0', 'P1'], kev: 'no', exploit: 'yes' } },
  { id: 'recent', search: { published: '7' } },
  { id: 'alerted', search: { alert: 'open' } },
] as const satisfies readonly { id: string; search: Record<string, string | Priority[]> }[]
export type ViewId = (typeof VIEWS)[number]['id']

/** True while the list shows less than everything. */
export function isFiltered(search: CvesSearch): boolean {
  return FILTERS.some((filter) => search[filter] !== undefined)
}

/** How many filters are set behind the button. */
export function countFurther(search: CvesSearch): number {
  return FURTHER.filter((filter) => search[filter] !== undefined).length
}

/** The API's query for these filters, without what is not set. @param nowMs days before and after are those of UTC */
export function toCveQuery(search: CvesSearch, nowMs: number): CveQuery {
  const { q, priority, kev, exploit, product, vendor, epss, cvss, status, published, modified, due, alert, sort, cursor } = search
  const query: { [Key in keyof CveQuery]: CveQuery[Key] | undefined } = {
    q,
    priority: priority?.join(','),
    kev: kev === undefined || kev === 'ransomware' ? undefined : kev === 'yes',
    ransomware: kev === 'ransomware' ? true : undefined,
    exploit: exploit === undefined ? undefined : exploit === 'yes',
    product,
    vendor,
    min_epss: epss === undefined ? undefined : Number(epss) / 100,
    min_cvss: cvss === undefined ? undefined : Number(cvss),
    status: status?.join(','),
    published_since: published === undefined ? undefined : dayFrom(nowMs, -Number(published)),
    modified_since: modified === undefined ? undefined : dayFrom(nowMs, -Number(modified)),
    due_from: due === undefined || due === 'over' ? undefined : dayFrom(nowMs, 0),
    due_to: due === undefined ? undefined : dayFrom(nowMs, due === 'over' ? -1 : Number(due)),
    alert,
    sort: sort?.join(','),
    cursor,
  }
  // Only members without a value are left out.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as CveQuery
}

const MS_PER_DAY = 86_400_000

function dayFrom(nowMs: number, days: number): string {
  return new Date(nowMs + days * MS_PER_DAY).toISOString().slice(0, 10)
}

/** The order as the table shows it; highest score first when nothing is said. */
export function sortsOf(search: CvesSearch): SortState[] {
  return orderOf(search).map((word) => ({ column: word.replace('-', ''), direction: word.startsWith('-') ? 'desc' : 'asc' }))
}

/** The order with one column changed: alone, or with `add` beside the others. The default order is not written. */
export function withSort(search: CvesSearch, { column, direction }: SortState, add: boolean): CvesSearch['sort'] {
  const word = direction === 'desc' ? `-${column}` : column
  const before = add ? orderOf(search) : []
  const isKnown = before.some((other) => other.replace('-', '') === column)
  return writtenSort(isKnown ? before.map((other) => (other.replace('-', '') === column ? word : other)) : [...before, word])
}

/** The order without a column. */
export function withoutSort(search: CvesSearch, column: string): CvesSearch['sort'] {
  return writtenSort(orderOf(search).filter((word) => word.replace('-', '') !== column))
}

function orderOf({ sort }: CvesSearch): readonly string[] {
  return sort ?? DEFAULT_SORT
}

function writtenSort(words: readonly string[]): CvesSearch['sort'] {
  const kept = words.slice(0, MAX_SORTS)
  return kept.length === 0 || kept.join() === DEFAULT_SORT.join() ? undefined : [...kept]
}
