/** What one bullet bar shows, ms; null over nothing. */
export type Bullet = { median_ms: number | null; p90_ms: number | null; target_ms: number }

/** How far a bar reaches at least and at most, in targets. Assumption: the target must not stand at the edge, and one outlier not flatten the rest. */
const REACH_MIN = 1.5
const REACH_MAX = 3

/** How many targets wide a group of bars is drawn, so that the targets of all of them stand below one another. */
export function reachOf(bullets: readonly Bullet[]): number {
  const longest = Math.max(0, ...bullets.map(({ p90_ms, median_ms, target_ms }) => Math.max(p90_ms ?? 0, median_ms ?? 0) / target_ms))
  return Math.min(REACH_MAX, Math.max(REACH_MIN, longest * 1.05))
}

/** How much of the width a length of time takes, 0 to 1, and whether it would take more. */
export function shareOf(ms: number, { target_ms }: Pick<Bullet, 'target_ms'>, reach: number): { share: number; isCut: boolean } {
  const share = ms / target_ms / reach
  return { share: Math.min(1, share), isCut: share > 1 }
}
