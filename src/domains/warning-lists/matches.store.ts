import { type RawBuilder, sql } from 'kysely'
import type { IndicatorType, WarningMatch } from '#domains/indicators/indicators.model.ts'
import type { Db } from '#platform/database/database.ts'
import type { WarningListType } from './warning-lists.model.ts'

/** What matching needs to know of a list. */
export type MatchableList = { id: string; name: string; type: WarningListType; revision: number; applies_to: IndicatorType[] }
/** Value number `n` stands on a list. */
export type Match = { n: number; list_id: string; match: WarningMatch; entry: string }

export async function listMatchable(db: Db): Promise<MatchableList[]> {
  const { rows } = await sql<MatchableList>`select id, name, type, revision, applies_to from warning_lists order by lower(name)`.execute(db)
  return rows
}

/** The entries of a list that are compared with parts of a text. */
export async function listTextEntries(db: Db, listId: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select entry from warning_list_entries where list_id = ${listId} and kind in ('SUBSTRING', 'PATTERN') order by entry`.execute(db)
  return rows.map(({ entry }) => entry)
}

/** Where the given values stand on lists that are found by equality, one entry for each value and list, the closest first. */
export async function findMatches(db: Db, values: readonly { type: IndicatorType; value: string }[]): Promise<Match[]> {
  const { rows } = await sql<Match>`${matchesOf(sql`
    select n::int, type, value from unnest(${values.map(({ type }) => type)}::text[], ${values.map(({ value }) => value)}::text[])
      with ordinality given (type, value, n)`)}`.execute(db)
  return rows
}

/** Makes the temporary table `warning_hits` with every indicator that stands on a list which is found by equality. It dies with the session. */
export async function createHits(db: Db): Promise<void> {
  await sql`create temp table warning_hits (indicator_id uuid not null, list_id uuid not null)`.execute(db)
  const { rows } = await sql<{ kind: IndicatorType }>`
    select distinct kind from warning_lists cross join unnest(applies_to) kind where type in ('CIDR', 'HOSTNAME', 'STRING')`.execute(db)
  if (rows.length === 0) return
  await sql`
    insert into warning_hits
    select n, list_id from (${matchesOf(sql`select id as n, type, value from indicators where type = any(${rows.map(({ kind }) => kind)}::text[])`)}) met`.execute(
    db,
  )
}

/** The next indicators of some types, by id. */
export async function pageValues(
  db: Db,
  types: readonly IndicatorType[],
  page: { after: string | undefined; limit: number },
): Promise<{ id: string; type: IndicatorType; value: string }[]> {
  const { rows } = await sql<{ id: string; type: IndicatorType; value: string }>`
    select id, type, value from indicators
    where type = any(${[...types]}::text[]) and ${page.after === undefined ? sql`true` : sql`id > ${page.after}`}
    order by id limit ${page.limit}`.execute(db)
  return rows
}

/** Adds hits that were found in texts. */
export async function addHits(db: Db, hits: readonly { indicator_id: string; list_id: string }[]): Promise<void> {
  await sql`
    insert into warning_hits
    select * from unnest(${hits.map(({ indicator_id }) => indicator_id)}::uuid[], ${hits.map(({ list_id }) => list_id)}::uuid[])`.execute(
    db,
  )
}

/** Tells the planner how many hits there are. */
export async function settleHits(db: Db): Promise<void> {
  await sql`analyze warning_hits`.execute(db)
}

/**
 * The matches of the values that a statement gives as `n`, `type` and `value`. Every probe is an equality or a short stretch of an index: the
 * value, each name above its host, its address cut to each prefix length in use, and for a range the first listed one inside it.
 */
function matchesOf(values: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with given as (${values}),
    probes as (
      select n, type, value as probe, 0 as depth from given
      union all
      select hosts.n, hosts.type, array_to_string(hosts.labels[at:], '.'), at
      from (select n, type, string_to_array(host_of(type, value), '.') as labels from given where type in ('DOMAIN', 'URL')) hosts
      cross join lateral generate_series(1, cardinality(hosts.labels) - 1) at
    ),
    addresses as (
      select n, type, address_of(type, value) as address from given where type in ('IPV4', 'IPV6', 'NETWORK', 'URL')
    ),
    met as (
      select probes.n, probes.type, named.list_id, named.entry, probes.depth as distance,
        case when probes.depth = 0 then 'exact' when probes.depth = 1 then 'host' else 'above_host' end as match
      from probes
      join warning_list_entries named on named.entry = probes.probe collate "C"
        and case named.kind when 'EXACT' then probes.depth = 0 when 'HOST' then probes.depth > 0 when 'BELOW' then probes.depth > 1 else false end
      union all
      select addresses.n, addresses.type, named.list_id, named.entry, 128 - used.length, 'in_network'
      from addresses
      join (select distinct family, length from warning_list_lengths) used
        on used.family = family(addresses.address) and used.length <= masklen(addresses.address)
      join warning_list_entries named on named.network = network(set_masklen(addresses.address, used.length))::inet
      union all
      select addresses.n, addresses.type, lists.list_id, named.entry, 1000, 'around_network'
      from addresses
      join (select distinct list_id, family from warning_list_lengths) lists on lists.family = family(addresses.address)
      cross join lateral (
        select entry from warning_list_entries inside
        where inside.list_id = lists.list_id and inside.network > addresses.address
          and inside.network <= set_masklen(broadcast(addresses.address), case family(addresses.address) when 4 then 32 else 128 end)
        order by inside.network limit 1
      ) named
      where addresses.type = 'NETWORK'
    )
    select distinct on (met.n, met.list_id) met.n, met.list_id, met.match, met.entry
    from met join warning_lists list on list.id = met.list_id and met.type = any(list.applies_to)
    order by met.n, met.list_id, met.distance`
}
