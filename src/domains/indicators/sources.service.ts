import type { Tx } from '#platform/database/transact.ts'
import {
  countOrphans,
  endListing,
  insertSource,
  listOrphans,
  type OrphanExample,
  purgeOrphans,
  retireSource,
  type SourceFields,
  updateSource,
} from './sources.store.ts'

/** Indicators that only one source has ever reported, some of them, and how many of its others know. */
export type Orphans = { orphans: number; kept: number; examples: OrphanExample[] }

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
  /** Removes them. @returns how many */
  purgeOrphans(tx: Tx, id: string): Promise<number>
}

export const sourcesService: SourcesService = {
  create: async (tx, source) => await insertSource(tx.db, source),
  change: async (tx, id, fields) => await updateSource(tx.db, id, fields),
  endListing: async (tx, id) => await endListing(tx.db, id),
  retire: async (tx, id, at) => await retireSource(tx.db, id, at),
  describeOrphans: async (tx, id) => ({ ...(await countOrphans(tx.db, id)), examples: await listOrphans(tx.db, id, ORPHAN_EXAMPLES) }),
  purgeOrphans: async (tx, id) => await purgeOrphans(tx.db, id),
}
