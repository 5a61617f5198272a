import type { NewEvent } from '#platform/events/event.ts'
import type { RunEnd } from '../collection-runs.store.ts'
import type { FeedRow } from '../feeds.store.ts'

/** An error is cut to this many characters, so that the event fits every carrier; the run holds all of it. */
const MAX_ERROR_LENGTH = 500

/** What the screens are told of a finished collection. The error names addresses, so only an ADMIN gets it. Source: spec, "Role check". */
export function feedCollected(feed: Pick<FeedRow, 'id'>, runId: string, end: RunEnd): NewEvent {
  const { outcome, new_count, updated_count, gone_count, rejected_count, error } = end
  return {
    name: 'feed.collected',
    data: { feed_id: feed.id, run_id: runId, outcome, new_count, updated_count, gone_count, rejected_count },
    adminData: { error: error?.slice(0, MAX_ERROR_LENGTH) ?? null },
  }
}
