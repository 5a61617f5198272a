import { type Clock, MS_PER_DAY } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { listHistories, listRunTotals, type RunTotals } from './collection-runs.store.ts'
import type { FeedStatus } from './feeds.model.ts'
import { dueSince, isDue } from './schedule/next-run.ts'

/** How the feeds stand, in figures for a monitoring system. */
export type FeedFigures = {
  feeds: { name: string; status: FeedStatus; is_active: boolean; last_success: Date | null }[]
  /** Feeds that wait to be collected, and how long the first of them has been waiting; 0 when none does. Milliseconds. */
  due: number
  queueAgeMs: number
  /** Collections that began within the last 24 hours, by outcome. */
  runs: RunTotals[]
}
export type FeedFiguresService = { read(): Promise<FeedFigures> }

export function createFeedFiguresService({ db, clock }: { db: Db; clock: Clock }): FeedFiguresService {
  return {
    async read() {
      const now = clock()
      const histories = await listHistories(db)
      const waitedMs = histories.filter((history) => isDue(history, now)).map((history) => now.getTime() - dueSince(history).getTime())
      return {
        feeds: histories.map(({ name, status, is_active, last_success }) => ({ name, status, is_active, last_success })),
        due: waitedMs.length,
        queueAgeMs: waitedMs.reduce((longest, next) => Math.max(longest, next), 0),
        runs: await listRunTotals(db, new Date(now.getTime() - MS_PER_DAY)),
      }
    },
  }
}
