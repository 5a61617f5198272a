/** How long a lock outlives a holder that died or hangs, and how often a living one renews it, milliseconds. Source: docs/decisions/0010. */
export const LOCK_TTL_MS = 60_000
export const RENEWALS_PER_TTL = 3

/** Mutual exclusion between workers. Losing a lock aborts its holder; fencing in the writing transactions covers the gap before that. */
export type Locks = {
  /** Runs `work` while holding the lock, or gives `held: true` at once when another holder has it. */
  withLock<Result>(name: string, work: (lost: AbortSignal) => Promise<Result>): Promise<{ held: true } | { held: false; result: Result }>
  close(): Promise<void>
}
