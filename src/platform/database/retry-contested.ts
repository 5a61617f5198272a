import { isDeadlock, violatedConstraint } from './constraint.ts'

/** A write that met another one is tried this often in all. */
const ATTEMPTS = 3

/**
 * Runs a transaction that makes rows, and runs it again when another one got in its way: by a deadlock, or by making the same row.
 *
 * @param unique the constraint or index by which two makers of one row meet
 * @param write gets told whether somebody has made one of its rows meanwhile. Watching for that with `on conflict` costs half as much again
 * as the rows, so a first try does without.
 */
export async function retryContested<Result>(unique: string, write: (contested: boolean) => Promise<Result>): Promise<Result> {
  let contested = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(contested)
    } catch (error) {
      const isMade = violatedConstraint(error) === unique
      if (attempt === ATTEMPTS || !(isMade || isDeadlock(error))) throw error
      contested ||= isMade
    }
  }
}
