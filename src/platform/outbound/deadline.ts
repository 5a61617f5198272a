/** A signal that aborts with any of its parents, or by itself when its time is up. */
export type Deadline = {
  signal: AbortSignal
  /** True when the time ran out, not when a parent aborted first. */
  isExpired(): boolean
  /** Must be called when the work is done. */
  clear(): void
}

/**
 * Starts a time limit. Made of plain timers and listeners on purpose: signals of `AbortSignal.any` and `AbortSignal.timeout` are held
 * weakly, and a limit that the garbage collector can take away is no limit.
 *
 * @param limitMs absent for no limit beside the parents'
 */
export function startDeadline(parents: readonly AbortSignal[], limitMs?: number): Deadline {
  const controller = new AbortController()
  let hasExpired = false
  const stop = () => controller.abort()
  for (const parent of parents) {
    if (parent.aborted) stop()
    else parent.addEventListener('abort', stop, { once: true })
  }
  const expire = () => {
    hasExpired = !controller.signal.aborted
    stop()
  }
  const timer = limitMs === undefined ? undefined : setTimeout(expire, limitMs)
  return {
    signal: controller.signal,
    isExpired: () => hasExpired,
    clear() {
      clearTimeout(timer)
      for (const parent of parents) parent.removeEventListener('abort', stop)
    },
  }
}
