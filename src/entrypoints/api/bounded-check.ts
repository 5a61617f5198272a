/** A check that takes longer than this has its answer, milliseconds. Source: docs/promises.md, D7 and D8: probes answer within 2 and 3 s. */
const CHECK_TIMEOUT_MS = 1500
/** A check that still hangs after this gets a successor, milliseconds. Assumption: as long as a statement may take. */
const GIVE_UP_MS = 15_000

/** One check at a time for all who ask, so that probes of a database that hangs do not use up the pool. One that never ends is given up. */
export function shared<Result>(check: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined
  let sinceMs = 0
  return () => {
    if (pending !== undefined && performance.now() - sinceMs < GIVE_UP_MS) return pending
    const begun = check().finally(() => {
      if (pending === begun) pending = undefined
    })
    pending = begun
    sinceMs = performance.now()
    return begun
  }
}

/** What the work gives, or the other answer when it fails or takes longer than a probe may. */
export async function withinTime<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
  const { promise: late, resolve } = Promise.withResolvers<Result>()
  const timer = setTimeout(resolve, CHECK_TIMEOUT_MS, otherwise)
  try {
    return await Promise.race([work.catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}
