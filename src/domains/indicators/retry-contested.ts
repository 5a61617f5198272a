import { isDeadlock, violatedConstraint } from '#platform/database/constraint.ts'

/** A write that met another collection is tried this often in all. */
const ATTEMPTS = 3

/**
 * Runs a transaction that makes indicators, and runs it again when another collection got in its way: by a deadlock, or by making the same value.
 *
 * @param write gets told whether somebody has made one of its values meanwhile. Watching for that with `on conflict` costs half as much again
 * as the rows, so a first try does without.
 */
export async function retryContested<Result>(write: (contested: boolean) => Promise<Result>): Promise<Result> {
  let contested = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(contested)
    } catch (error) {
      const isMade = violatedConstraint(error) === 'indicators_type_value_unique'
      if (attempt === ATTEMPTS || !(isMade || isDeadlock(error))) throw error
      contested ||= isMade
    }
  }
}
