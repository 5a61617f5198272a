import type { AuditService } from '#domains/audit/audit.service.ts'
import type { SourcesService } from '#domains/indicators/sources.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { type CatalogueFeed, PUBLIC_FEEDS } from './catalogue.ts'
import { findFeedByName, insertFeed } from './feeds.store.ts'

/** One feed of the catalogue, and whether this call has registered it. */
export type SeededFeed = { name: string; licence: string; note: string | null; enabled: boolean; added: boolean }
export type SeedService = {
  /** Registers the feeds of the catalogue that are not there, as one audited act; an existing name is left as it is. */
  seed(actor: Actor): Promise<SeededFeed[]>
}

export type SeedDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  sources: SourcesService
  catalogue?: readonly CatalogueFeed[]
}

export function createSeedService({ db, log, clock, audit, sources, catalogue = PUBLIC_FEEDS }: SeedDeps): SeedService {
  return {
    async seed(actor) {
      return await transact(db, log, async (tx) => {
        const seeded: SeededFeed[] = []
        for (const feed of catalogue) {
          const existing = await findFeedByName(tx.db, feed.name)
          if (existing === undefined) {
            const id = newId()
            await sources.create(tx, { id, name: feed.name, feed_type: feed.feed_type, reliability: feed.reliability })
            await insertFeed(tx.db, { id, ...toFields(feed), at: clock() })
          }
          seeded.push({
            name: feed.name,
            licence: feed.licence,
            note: feed.note ?? null,
            enabled: existing?.is_active ?? feed.enabled,
            added: existing === undefined,
          })
        }
        const added = seeded.filter((feed) => feed.added)
        if (added.length > 0)
          await audit.record(tx, actor, {
            action: 'feed.seeded',
            details: { feeds: added.length, enabled: added.filter(({ enabled }) => enabled).length },
          })
        return seeded
      })
    },
  }
}

function toFields({ url, format, frequency, parser, licence, homepage, enabled }: CatalogueFeed) {
  return { url, format, frequency, parser, licence, homepage, is_active: enabled, tlp: 'CLEAR' as const }
}
