/** Collections that run at once in one process, and from one host. Source: docs/decisions/0010: a slow publisher must hold up nobody else. */
export const PARALLEL_COLLECTIONS = 4

export type Waiting = { id: string; host: string }

/** Which feeds are being collected by this process, and the room for more. */
export type CollectionSlots<Feed extends Waiting> = {
  /** Begins as many as there is room for, one per host and each feed once. @returns those that were begun */
  begin(feeds: readonly Feed[]): Feed[]
  /** Collects all of them, as fast as the room allows; on the signal begins no more and waits for those that run. */
  collectAll(feeds: readonly Feed[], signal: AbortSignal): Promise<void>
  isRunning(id: string): boolean
  running(): number
  settle(): Promise<void>
}

/** @param collect never rejects: what goes wrong with one feed is its own matter */
export function createCollectionSlots<Feed extends Waiting>(collect: (feed: Feed) => Promise<void>): CollectionSlots<Feed> {
  const running = new Map<string, { host: string; work: Promise<void> }>()

  function hasRoomFor({ id, host }: Feed): boolean {
    if (running.size >= PARALLEL_COLLECTIONS || running.has(id)) return false
    return ![...running.values()].some((other) => other.host === host)
  }

  function begin(feeds: readonly Feed[]): Feed[] {
    const begun: Feed[] = []
    for (const feed of feeds) {
      if (!hasRoomFor(feed)) continue
      const work = collect(feed).finally(() => running.delete(feed.id))
      running.set(feed.id, { host: feed.host, work })
      begun.push(feed)
    }
    return begun
  }

  async function settle(): Promise<void> {
    await Promise.allSettled([...running.values()].map(({ work }) => work))
  }

  return {
    begin,
    settle,
    isRunning: (id) => running.has(id),
    running: () => running.size,
    async collectAll(feeds, signal) {
      let waiting = [...feeds]
      while (waiting.length > 0 && !signal.aborted) {
        const begun = new Set(begin(waiting))
        waiting = waiting.filter((feed) => !begun.has(feed))
        if (waiting.length > 0) await Promise.race([...running.values()].map(({ work }) => work))
      }
      await settle()
    },
  }
}

/** The host that a feed's address names; an address that is none stands for itself. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
