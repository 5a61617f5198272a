/** Told of work that finds the queue full: throws what the caller is to see. */
export type QueueLimit = { maxWaiting: number; refuse(): Error }

/**
 * Lets at most `slots` pieces of work run at once; the others wait their turn in order of arrival.
 * @param limit how many may wait; more are refused at once. Without it any number waits.
 */
export function createSemaphore(slots: number, limit?: QueueLimit): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = slots
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else if (limit !== undefined && waiting.length >= limit.maxWaiting) throw limit.refuse()
    else await new Promise<void>((resume) => waiting.push(resume))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
