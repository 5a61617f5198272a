/** Lets at most `slots` pieces of work run at once; the others wait their turn in order of arrival. */
export function createSemaphore(slots: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = slots
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
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
