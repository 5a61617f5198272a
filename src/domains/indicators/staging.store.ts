import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/** The index that holds each value once: two collections that make one value meet in it. */
export const UNIQUE_VALUE = 'indicators_type_value_unique'

/**
 * Ids for numbered new values (UUIDv7: the moment, then the number, then a tail that is the same for all), so that indexes grow at their edges.
 *
 * @param number from 1 to 2^26
 */
export function orderedIds(at: Date, number: RawBuilder<unknown>): RawBuilder<unknown> {
  const moment = at.getTime().toString(16).padStart(12, '0')
  const tail = randomBytes(6).toString('hex')
  return sql`(${moment} || '7' || lpad(to_hex(${number} >> 14), 3, '0') || to_hex(32768 | (${number} & 16383)) || ${tail})::uuid`
}
