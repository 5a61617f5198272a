/** Source: spec, "Limits": feed fetch attempts, 3 with exponential backoff. */
export const MAX_ATTEMPTS = 3
/** Assumption: long enough for a restarting server, short enough that a run ends soon. */
const FIRST_GAP_MS = 1000
/** Growth and jitter are chosen so that the next gap is at least twice the one before, whatever the dice say: 3 / 1.5. */
const GAP_GROWTH = 3
const JITTER_SHARE = 0.5

/** The pause after failed attempt number `attempt` (1, 2): 1 to 1.5 s, then 3 to 4.5 s. @param random from 0 to 1 */
export function attemptGapMs(attempt: number, random: () => number): number {
  return FIRST_GAP_MS * GAP_GROWTH ** (attempt - 1) * (1 + JITTER_SHARE * random())
}
