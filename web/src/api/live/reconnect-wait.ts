/** Longest and shortest wait, ms. Source: design brief, "Live": back-off 1 to 30 s. */
const LONGEST_MS = 30_000
const SHORTEST_MS = 1000

/**
 * How long to wait before the next try, ms: 1 to 2 s after the first failure, twice that after each further one, 30 s at most.
 * @param failures tries without success so far, 1 or more
 * @param random 0 to 1; spreads the browsers that lost the same service at one moment
 */
export function reconnectWaitMs(failures: number, random: number): number {
  const longestMs = Math.min(SHORTEST_MS * 2 ** Math.max(1, failures), LONGEST_MS)
  return Math.round(longestMs * (0.5 + random / 2))
}
