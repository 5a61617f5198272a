import type { Clock } from '#kernel/clock.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { createRememberedTotals } from '#kernel/remembered-totals.ts'
import type { Db } from '#platform/database/database.ts'
import { judge } from './applicability/verdict.ts'
import {
  type CveDetailRow,
  type CveFilter,
  type CvePlace,
  type CveRow,
  countCves,
  findCve,
  type HistoryRow,
  listPriorityHistory,
  pageCves,
} from './cves.store.ts'
import { parseCvePlace, toCveCursor } from './list-place.ts'
import { compositeScore, type ScoreBreakdown } from './score/composite-score.ts'
import { type AssetFacts, CVE_ID, PRIORITIES, type Priority, type Verdict } from './vulnerabilities.model.ts'

/** Conditions of the CVE list as they are asked for. */
export type CveQuery = { q?: string; priority?: string; kev?: boolean; exploit?: boolean; cursor?: string }
export type CvePage = { items: CveRow[]; total: number; total_exact: boolean; next: string | null }
/** A CVE with everything that is known of it, and every point of its score. */
export type CveDetail = CveDetailRow & { breakdown: ScoreBreakdown; priority_history: HistoryRow[] }

export type CvesService = {
  /** 50 CVEs, highest score first. @throws validation_failed */
  page(query: CveQuery): Promise<CvePage>
  /** @throws validation_failed for what is no CVE identifier, not_found */
  get(id: string): Promise<CveDetail>
  /** Whether a CVE hits what somebody runs, with the reason in words. @throws validation_failed, not_found */
  judge(id: string, asset: AssetFacts): Promise<Verdict>
}

/** Rows of one page. Source: spec, "Limits". */
const PAGE_ROWS = 50

export function createCvesService({ db, clock }: { db: Db; clock: Clock }): CvesService {
  const totals = createRememberedTotals(clock)

  async function getRow(given: string): Promise<CveDetailRow> {
    const id = given.trim().toUpperCase()
    if (!CVE_ID.test(id)) throw refuseField('id', `"${given.slice(0, 40)}" is not a CVE identifier such as CVE-2021-44228.`)
    const row = await findCve(db, id)
    if (row === undefined)
      throw new DomainError('not_found', `${id} is not stored. \`svc cves import\` takes over NVD's files; a rejected CVE is never stored.`)
    return row
  }

  return {
    async page({ cursor, ...query }) {
      const filter = toFilter(query)
      const after = cursor === undefined ? undefined : parseCvePlace(cursor)
      const [found, { total, exact }] = await Promise.all([
        pageCves(db, filter, { after, limit: PAGE_ROWS + 1 }),
        totals.of(filter, async () => await countCves(db, filter)),
      ])
      const items = found.slice(0, PAGE_ROWS)
      return { items, total, total_exact: exact, next: found.length > PAGE_ROWS ? nextOf(items) : null }
    },

    async get(id) {
      const row = await getRow(id)
      return { ...row, breakdown: breakdownOf(row), priority_history: await listPriorityHistory(db, row.id) }
    },

    async judge(id, asset) {
      return judge(asset, await getRow(id))
    },
  }
}

function toFilter({ q, priority, kev, exploit }: Omit<CveQuery, 'cursor'>): CveFilter {
  const text = q?.trim() ?? ''
  if (text.includes('\0')) throw refuseField('q', 'The text holds a NUL character, which no stored text does.')
  return {
    ...(text === '' ? {} : { q: text }),
    ...(priority === undefined ? {} : { priorities: priority.split(',').map(parsePriority) }),
    ...(kev === undefined ? {} : { kev }),
    ...(exploit === undefined ? {} : { exploit }),
  }
}

function parsePriority(word: string): Priority {
  const priority = PRIORITIES.find((candidate) => candidate === word.trim().toUpperCase())
  if (priority === undefined) throw refuseField('priority', `"${word.slice(0, 40)}" is not one of ${PRIORITIES.join(', ')}.`)
  return priority
}

function nextOf(items: readonly CvePlace[]): string | null {
  const last = items.at(-1)
  return last === undefined ? null : toCveCursor(last)
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
