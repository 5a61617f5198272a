export type Waiting = { id: string; host: string }

/** Which feeds are being collected by this process, and which wait for room. */
export type CollectionSlots<Feed extends Waiting> = {
  /**
   * Replaces what waits: begins as many as there is room for, in their order, one per host and each feed once, and the next ones as soon as a
   * collection ends. After the signal none begins.
   */
  offer(feeds: readonly Feed[], signal: AbortSignal): void
  /** Collects all of them, as fast as the room allows; on the signal begins no more and waits for those that run. */
  collectAll(feeds: readonly Feed[], signal: AbortSignal): Promise<void>
  isRunning(id: string): boolean
  /** How many wait for room. */
  waiting(): number
  /** Waits until nothing runs any more. */
  settle(): Promise<void>
}

/**
 * Room for `atOnce` collections, one from each host: a slow publisher holds up nobody else.
 * @param collect never rejects: what goes wrong with one feed is its own matter
 */
export function createCollectionSlots<Feed extends Waiting>(atOnce: number, collect: (feed: Feed) => Promise<void>): CollectionSlots<Feed> {
  const running = new Map<string, { host: string; work: Promise<void> }>()
  let waiting: Feed[] = []
  let stop: AbortSignal | undefined

  function hasRoomFor({ id, host }: Feed): boolean {
    if (running.size >= atOnce || running.has(id)) return false
    return ![...running.values()].some((other) => other.host === host)
  }

  function beginWhatFits(): void {
    if (stop?.aborted === true) waiting = []
    waiting = waiting.filter((feed) => {
      if (!hasRoomFor(feed)) return true
      const work = collect(feed).finally(() => {
        running.delete(feed.id)
        beginWhatFits()
      })
      running.set(feed.id, { host: feed.host, work })
      return false
    })
  }

  function offer(feeds: readonly Feed[], signal: AbortSignal): void {
    waiting = [...feeds]
    stop = signal
    beginWhatFits()
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled([...running.values()].map(({ work }) => work))
  }

  return {
    offer,
    settle,
    isRunning: (id) => running.has(id),
    waiting: () => waiting.length,
    async collectAll(feeds, signal) {
      offer(feeds, signal)
      await settle()
    },
  }
}

/** The host that a feed's address names; an address that is none stands for itself. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
