/** One answered request, as the access line tells it. */
export type RecentRequest = {
  at: Date
  method: string
  /** The route's template, never the address as it was typed. */
  path: string
  status: number
  duration_ms: number
  client: string
  request_id: string
}
export type RecentRequests = {
  note(request: RecentRequest): void
  find(requestId: string): RecentRequest | undefined
}

/** Requests that are remembered. Assumption: about 3 MB, and some minutes of a busy service; older ones are in the log. */
const CAPACITY = 10_000

/** The latest requests of this process by their id. Where a client has used an id again, the latest counts. */
export function createRecentRequests(capacity = CAPACITY): RecentRequests {
  const byId = new Map<string, RecentRequest>()
  return {
    note(request) {
      // Taken out first, so that it becomes the youngest.
      byId.delete(request.request_id)
      byId.set(request.request_id, request)
      if (byId.size <= capacity) return
      const [oldest] = byId.keys()
      if (oldest !== undefined) byId.delete(oldest)
    },
    find: (requestId) => byId.get(requestId),
  }
}
