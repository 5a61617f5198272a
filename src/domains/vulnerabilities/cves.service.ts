import type { Alert, AlertsService } from '#domains/alerts/alerts.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { createRememberedTotals } from '#kernel/remembered-totals.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import { type OwnAlias, underEachName } from './applicability/own-aliases.ts'
import { isSameProduct, probeKeys, vendorBeginnings, vendorsAgree } from './applicability/product-match.ts'
import { judge } from './applicability/verdict.ts'
import type { ListConditions, ListPage, NamedProducts } from './cve-conditions.store.ts'
import { countCves, listProductsByKeys, listVendors, pageCves } from './cve-list.store.ts'
import { type Found, searchCves } from './cve-search.store.ts'
import { type CveDetailRow, type CveRow, findCve, type HistoryRow, listKnownCves, listPriorityHistory } from './cves.store.ts'
import { type CveConditions, type CveFilter, toCveFilter } from './list-filter.ts'
import { parseCvePlace, parseSort, toCveCursor } from './list-order.ts'
import { compositeScore, type ScoreBreakdown } from './score/composite-score.ts'
import { isExploit } from './sources/references.ts'
import { type AssetFacts, CVE_ID, type CveReference, type LinkedIncident, VERDICTS, type Verdict } from './vulnerabilities.model.ts'

/** The CVE list as it is asked for: its conditions, its order such as `-kev,due`, and the page behind another. */
export type CveQuery = CveConditions & { sort?: string; cursor?: string }
export type CvePage = { items: CveRow[]; total: number; total_exact: boolean; next: string | null }
/** A CVE with everything that is known of it, and every point of its score. */
export type CveDetail = Omit<CveDetailRow, 'references'> & {
  references: (CveReference & { exploit: boolean })[]
  breakdown: ScoreBreakdown
  priority_history: HistoryRow[]
  alerts: Alert[]
  incidents: LinkedIncident[]
}

export type CvesService = {
  /** 50 CVEs, highest score first unless another order is asked for; of a search maybe fewer, with more behind `next`. @throws validation_failed */
  page(query: CveQuery): Promise<CvePage>
  /** @throws validation_failed for what is no CVE identifier, not_found */
  get(id: string): Promise<CveDetail>
  /** Whether a CVE hits what somebody runs, with the reason in words. @throws validation_failed, not_found */
  judge(id: string, asset: AssetFacts): Promise<Verdict>
  /** Those of the CVEs that are stored. */
  identify(tx: Tx, ids: readonly string[]): Promise<string[]>
}

/** Rows of one page. Source: spec, "Limits". */
const PAGE_ROWS = 50
/** Vendors that are looked at for one that is asked for. Assumption: many more than any first word has. */
const MAX_VENDORS = 2000
/** Descriptions that one page of a search looks at. Assumption: measured, they take 10 to 30 ms (docs/decisions/0027). */
const LOOKED_AT_MOST = 8000

export type CvesDeps = {
  /** Names that are used here for products, beside those that the rules know. */
  listAliases: () => Promise<readonly OwnAlias[]>
  db: Db
  clock: Clock
  alerts: Pick<AlertsService, 'page'>
  /** The newest incidents about a CVE. Incidents stand above vulnerabilities, so the entrypoint passes this in. */
  incidentsOf: (cveId: string) => Promise<LinkedIncident[]>
  /** Descriptions that one page of a search looks at; given by tests, which hold fewer. */
  lookedAtMost?: number
}

export function createCvesService({ db, clock, alerts, incidentsOf, listAliases, lookedAtMost = LOOKED_AT_MOST }: CvesDeps): CvesService {
  const totals = createRememberedTotals(clock)

  async function getRow(given: string): Promise<CveDetailRow> {
    const id = given.trim().toUpperCase()
    if (!CVE_ID.test(id)) throw refuseField('id', `"${given.slice(0, 40)}" is not a CVE identifier such as CVE-2021-44228.`)
    const row = await findCve(db, id)
    if (row === undefined)
      throw new DomainError('not_found', `${id} is not stored. \`svc cves import\` takes over NVD's files; a rejected CVE is never stored.`)
    return row
  }

  /** Finds the products of the base that the words of a vendor and a product mean, as a verdict would. */
  async function withProducts({ vendor, product, ...filter }: Omit<CveFilter, 'text'>): Promise<ListConditions> {
    if (vendor === undefined && product === undefined) return filter
    return { ...filter, products: product === undefined ? await productsOf(vendor ?? '') : await productsNamed({ vendor, product }) }
  }
  async function productsOf(vendor: string): Promise<NamedProducts> {
    const known = await listVendors(db, vendorBeginnings(vendor), MAX_VENDORS)
    return { vendors: known.filter((candidate) => vendorsAgree(vendor, candidate)) }
  }
  async function productsNamed(asset: { vendor: string | undefined; product: string }): Promise<NamedProducts> {
    const names = underEachName(asset, await listAliases())
    const candidates = await listProductsByKeys(db, names.flatMap(probeKeys))
    return { ids: candidates.filter((candidate) => names.some((name) => isSameProduct(name, candidate))).map(({ id }) => id) }
  }

  async function list(filter: ListConditions, page: ListPage): Promise<Found> {
    const [rows, total] = await Promise.all([pageCves(db, filter, page), totals.of(filter, async () => await countCves(db, filter))])
    return { rows, ...total, reached: undefined }
  }

  return {
    async page({ cursor, sort, ...query }) {
      const order = parseSort(sort)
      const after = cursor === undefined ? undefined : parseCvePlace(order, cursor)
      const { text, ...rest } = toCveFilter(query)
      const filter = await withProducts(rest)
      const page = { order, after, limit: PAGE_ROWS + 1 }
      const { rows, total, exact, reached } = await (text === undefined
        ? list(filter, page)
        : searchCves(db, { ...filter, text }, page, lookedAtMost))
      const items = rows.slice(0, PAGE_ROWS)
      const last = rows.length > PAGE_ROWS ? items.at(-1) : reached
      return { items, total, total_exact: exact, next: last === undefined ? null : toCveCursor(order, last) }
    },

    async get(id) {
      const row = await getRow(id)
      const [priority_history, { items }, incidents] = await Promise.all([
        listPriorityHistory(db, row.id),
        alerts.page({ cve_id: row.id }),
        incidentsOf(row.id),
      ])
      const references = row.references.map((reference) => ({ ...reference, exploit: isExploit(reference) }))
      return { ...row, references, breakdown: breakdownOf(row), priority_history, alerts: items, incidents }
    },

    async judge(id, asset) {
      const [row, aliases] = await Promise.all([getRow(id), listAliases()])
      const verdicts = underEachName(asset, aliases).map((named) => judge(named, row))
      return VERDICTS.flatMap((word) => verdicts.filter(({ verdict }) => verdict === word))[0] ?? judge(asset, row)
    },

    identify: async (tx, ids) => await listKnownCves(tx.db, ids),
  }
}

/** The same inputs that the stored score was made of, so the parts add up to it. */
function breakdownOf(row: CveDetailRow): ScoreBreakdown {
  const { breakdown } = compositeScore({
    cvss: row.cvss ?? undefined,
    epssProbability: row.epss ?? undefined,
    epssPercentile: row.epss_percentile ?? undefined,
    kev: row.kev,
    ransomware: row.ransomware,
    exploit: row.exploit,
  })
  return breakdown
}
