import type { Tx } from '#platform/database/transact.ts'
import { allowLongWork, countOrphans, listOrphans, type Orphan, purgeStretch } from './orphans.store.ts'
import { addToListed, endListing, insertSource, retireSource, type SourceFields, updateSource } from './sources.store.ts'

/** Indicators that only one source has ever reported, some of them, and how many of its others know. */
export type Orphans = { orphans: number; kept: number; examples: Orphan[] }

/** Orphans that are shown before they are removed. */
const ORPHAN_EXAMPLES = 10

/** Sources as other domains change them, always inside the caller's transaction. */
export type SourcesService = {
  /** @throws duplicate_name */
  create(tx: Tx, source: SourceFields & { id: string }): Promise<void>
  /** @throws duplicate_name */
  change(tx: Tx, id: string, fields: Partial<SourceFields>): Promise<void>
  /** Closes the intervals of everything that a source lists: it sends no lists any more. */
  endListing(tx: Tx, id: string): Promise<void>
  /** Ends a source; its values stay and age. */
  retire(tx: Tx, id: string, at: Date): Promise<void>
  /** Values that no other source has ever reported, some of them, and how many others know. */
  describeOrphans(tx: Tx, id: string): Promise<Orphans>
  /** Removes the orphans of one stretch of a source's values. @returns how many, and where the next stretch begins, or undefined at the end */
  purgeStretch(tx: Tx, id: string, after: string | undefined): Promise<{ removed: number; last: string | undefined }>
}

export const sourcesService: SourcesService = {
  create: async (tx, source) => await insertSource(tx.db, source),
  change: async (tx, id, fields) => await updateSource(tx.db, id, fields),
  endListing: async (tx, id) => await endListing(tx.db, id),
  async retire(tx, id, at) {
    await allowLongWork(tx.db)
    await retireSource(tx.db, id, at)
  },
  async describeOrphans(tx, id) {
    await allowLongWork(tx.db)
    return { ...(await countOrphans(tx.db, id)), examples: await listOrphans(tx.db, id, ORPHAN_EXAMPLES) }
  },
  async purgeStretch(tx, id, after) {
    const { removed, unlisted, last } = await purgeStretch(tx.db, id, after)
    await addToListed(tx.db, id, -unlisted)
    return { removed, last }
  },
}
