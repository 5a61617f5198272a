import { type RawBuilder, sql } from 'kysely'
import { PART_SEPARATOR, TAG_SEPARATOR } from './staged-line.ts'

type Sql = RawBuilder<unknown>

// What sources say is staged as one text; these fragments take it apart. Its shape: staged-line.ts.

const PARTS = sql.lit(PART_SEPARATOR)
const TAGS = sql.lit(TAG_SEPARATOR)

/** The parts of a statement, as a table with the one column `parts`; `offset 0` keeps the planner from splitting anew for each use. */
export function partsOf(said: Sql): Sql {
  return sql`lateral (select string_to_array(${said}, ${PARTS}, '') as parts offset 0) statement`
}

/** Columns severity, tags, description, reported_first_seen, reported_last_seen and valid_until out of `parts`. */
export const STATEMENT_COLUMNS = sql`parts[1], ${splitTags(sql`parts[2]`)}, parts[3], ${momentOf(sql`parts[4]::bigint`)}, ${momentOf(sql`parts[5]::bigint`)}, ${momentOf(sql`parts[6]::bigint`)}`

/**
 * One statement out of all that are made about a value, for a query that is grouped by value: the columns severity, tags (one text),
 * description, first_seen, last_seen and valid_until (milliseconds).
 */
export const FOLDED_STATEMENT = sql`
  (array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[max(severity_rank(parts[1]))] as severity,
  string_agg(parts[2], ${TAGS}) as tags,
  max(parts[3]) as description,
  min(parts[4]::bigint) as first_seen,
  max(parts[5]::bigint) as last_seen,
  -- One statement without an end makes the value valid without an end.
  case when bool_and(parts[6] is not null) then max(parts[6]::bigint) end as valid_until`

/** The text of a folded statement; null when nothing is said. */
export const STATEMENT_OF_FOLDED = sql`
  nullif(array_to_string(array[
    severity, array_to_string(array(select distinct tag collate "C" from unnest(${splitTags(sql`tags`)}) tag order by 1), ${TAGS}), description,
    first_seen::text, last_seen::text, valid_until::text], ${PARTS}, ''), repeat(${PARTS}, 5))`

/** Of a value whose statement names one; most lists state none. */
export function severitySaid(said: Sql): Sql {
  return sql`nullif(split_part(${said}, ${PARTS}, 1), '')`
}

export function splitTags(tags: Sql): Sql {
  return sql`string_to_array(${tags}, ${TAGS})`
}

/** @param ms milliseconds since 1970 */
export function momentOf(ms: Sql): Sql {
  return sql`timestamptz 'epoch' + ${ms} * interval '1 millisecond'`
}
