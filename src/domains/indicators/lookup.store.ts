import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { IndicatorType, Relation } from './indicators.model.ts'
import { type IndicatorRow, standingColumns } from './indicators.store.ts'

/** One value to search for on behalf of input number `n`; a lower `distance` is a closer relation. */
export type Probe = { n: number; relation: Relation; distance: number; type: IndicatorType; value: string }
/** One address to search inside the stored ranges on behalf of input number `n`. */
export type AddressProbe = { n: number; distance: number; address: string }

export type LookupHit = IndicatorRow & { n: number; relation: Relation }

/**
 * The closest stored indicator for each input, one that is only related and excluded last, in one statement: every probe is an equality on the unique index.
 * Ranges are found by the address cut to each prefix length in use, which needs no search by inclusion.
 */
export async function findClosest(db: Db, probes: Probe[], addresses: AddressProbe[], asOf: Date): Promise<LookupHit[]> {
  const { rows } = await sql<LookupHit>`
    with probes as (
      select n, relation, distance, type, value
      from unnest(${probes.map(({ n }) => n)}::int[], ${probes.map(({ relation }) => relation)}::text[], ${probes.map(({ distance }) => distance)}::int[],
        ${probes.map(({ type }) => type)}::text[], ${probes.map(({ value }) => value)}::text[]) as given (n, relation, distance, type, value)
      union all
      select n, 'in_range', distance + 128 - length, 'NETWORK', network(set_masklen(address, length))::text
      from unnest(${addresses.map(({ n }) => n)}::int[], ${addresses.map(({ distance }) => distance)}::int[], ${addresses.map(({ address }) => address)}::inet[]) as given (n, distance, address)
      join network_lengths on network_lengths.family = family(address)
    ), closest as (
      select distinct on (probes.n) probes.n, probes.relation, known.id, known.type, known.value, known.severity, known.first_seen, known.excluded_until
      from probes join indicators known on known.type = probes.type collate "C" and indicator_key(known.value) = indicator_key(probes.value)
      order by probes.n, probes.distance > 0 and is_excluded(known.excluded_until, ${asOf}), probes.distance
    )
    select known.n, known.relation, known.id, known.type, known.value, known.severity, known.first_seen, ${standingColumns(asOf)}
    from closest known cross join lateral indicator_standing(known.id, known.type, ${asOf}) standing
    order by known.n`.execute(db)
  return rows
}
