/** Mutual exclusion between workers. Losing a lock aborts its holder; fencing in the writing transactions covers the gap before that. */
export type Locks = {
  /** Runs `work` while holding the lock, or gives `held: true` at once when another holder has it. */
  withLock<Result>(name: string, work: (lost: AbortSignal) => Promise<Result>): Promise<{ held: true } | { held: false; result: Result }>
  close(): Promise<void>
}
