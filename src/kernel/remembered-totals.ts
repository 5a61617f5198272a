import type { Clock } from './clock.ts'

/** A total above the exact limit is an estimate anyway: within this time it is given again instead of being worked out anew. Assumption. */
const REMEMBERED_MS = 30_000
/** Filters remembered at once; beyond it the oldest is forgotten. Assumption. */
const MAX_FILTERS = 500

export type Total = { total: number; exact: boolean }
export type RememberedTotals = { of(filter: object, count: () => Promise<Total>): Promise<Total> }

/**
 * Totals of large lists, remembered for half a minute: counting 10 000 rows again for every page costs more than the page.
 * Exact totals are never remembered, so a list that a person can count is always right.
 */
export function createRememberedTotals(clock: Clock): RememberedTotals {
  const remembered = new Map<string, { total: Total; untilMs: number }>()
  return {
    async of(filter, count) {
      const key = JSON.stringify(filter)
      const known = remembered.get(key)
      if (known !== undefined && known.untilMs > clock().getTime()) return known.total
      remembered.delete(key)
      const total = await count()
      if (total.exact) return total
      const [oldest] = remembered.keys()
      if (oldest !== undefined && remembered.size >= MAX_FILTERS) remembered.delete(oldest)
      remembered.set(key, { total, untilMs: clock().getTime() + REMEMBERED_MS })
      return total
    },
  }
}
