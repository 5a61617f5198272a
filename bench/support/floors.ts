import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Puts prepared lines into a temporary table: the least that any bulk way in has to do. */
export async function bareCopy(bare: pg.Client, list: readonly string[]): Promise<void> {
  await bare.query('drop table if exists bare_staged; create temp table bare_staged (type text collate "C", value text collate "C")')
  const text = list.map((value) => `DOMAIN\t${value}\n`).join('')
  const copy = bare.query(copyFrom('copy bare_staged from stdin'))
  copy.end(text)
  await once(copy, 'finish')
}

/** The bare merge: one sorted INSERT into each of the product's two tables, with their indexes. */
export async function bareMerge(bare: pg.Client): Promise<void> {
  await bare.query(`
    create temp table bare_fresh as
      select gen_random_uuid() as id, type, value, row_number() over (order by type, value) as n from (select distinct type, value from bare_staged) once;
    insert into indicators (id, type, value, severity, first_seen)
      select (lpad(to_hex(n), 12, '0') || '7000800000000000' || lpad('0', 4, '0'))::uuid, type, value, 'MEDIUM', now() from bare_fresh order by n
      on conflict (type, indicator_key(value)) do nothing;
    insert into indicator_sources (source_id, indicator_id, first_seen, listed_from, last_listed_at, hash_a, hash_b)
      select '00000000-0000-7000-8000-00000000000f', (lpad(to_hex(n), 12, '0') || '7000800000000000' || lpad('0', 4, '0'))::uuid, now(), 1, now(),
        hashtextextended(value, 0), hashtextextended(value, 1) from bare_fresh order by n;
    drop table bare_fresh`)
}

/** What is new on the list: one bare anti-join by value. */
export async function bareNew(bare: pg.Client): Promise<void> {
  await bare.query("set work_mem = '64MB'")
  await bare.query(`
    select count(*) from bare_staged where not exists (select from indicators known where known.type = bare_staged.type and known.value = bare_staged.value)`)
}

/** What has left the list: the anti-join in the other direction. */
export async function bareGone(bare: pg.Client, sourceId: string): Promise<void> {
  await bare.query(
    `select count(*) from indicator_sources link join indicators known on known.id = link.indicator_id
     where link.source_id = $1 and link.listed_from is not null
       and not exists (select from bare_staged where bare_staged.type = known.type and bare_staged.value = known.value)`,
    [sourceId],
  )
}

/** Takes everything out that a round has put in. */
export async function emptyBase(bare: pg.Client): Promise<void> {
  await bare.query(`
    truncate indicators, indicator_sources;
    update sources set run_no = 0, run_at = null, listed = 0;
    update threat_feeds set body_digest = null, etag = null, last_modified = null`)
  await bare.query('checkpoint').catch(() => {})
}
