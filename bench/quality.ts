import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList, rangeList } from './support/lists.ts'

// Working out the quality of 20 feeds over a million values, beside one bare aggregate over their links (how many sources hold each value);
// without warning lists, and with some as large as public ones, of which the floor knows nothing. Then the largest feed is purged.
const VALUES = 1_000_000
const FEEDS = 20
const ROUNDS = 3
// The report reads the links twice, sorts them, and orders what is shared by value and by lead; the floor is one parallel pass.
const GOAL = 25
const GOAL_WITH_LISTS = 60

const base = await openBenchBase()
try {
  const feedIds: string[] = []
  for (let feed = 0; feed < FEEDS; feed++) feedIds.push(await base.addFeed(`feed-${feed}`))
  const domains = domainList((VALUES * 6) / 10)
  await base.bare.query('create temp table names (n serial, value text)')
  for (let from = 0; from < domains.length; from += 50_000)
    await base.bare.query('insert into names (value) select * from unnest($1::text[])', [domains.slice(from, from + 50_000)])
  await base.bare.query(
    `insert into indicators (id, type, value, severity, first_seen)
     select (lpad(to_hex(n), 12, '0') || '7000800000000000' || '0000')::uuid, type, value, 'MEDIUM', now()
     from (
       select n, 'DOMAIN' as type, value from names
       union all
       select n + ${domains.length}, 'IPV4', host('11.0.0.0'::inet + n * 37) from generate_series(1, ${VALUES - domains.length}) n
     ) made order by type, value`,
  )
  // Feed k holds about 1/(k + 2) of the values, and every value stands somewhere; what was brought lies within the last 60 days.
  await base.bare.query(
    `insert into indicator_sources (source_id, indicator_id, first_seen, listed_from, last_listed_at, hash_a, hash_b)
     select feed.id, known.id, now() - make_interval(secs => abs(hashtext(known.id::text || feed.n)) % 5184000), 1, now(), hashtextextended(known.value, 0), hashtextextended(known.value, 1)
     from indicators known
     cross join unnest($1::uuid[]) with ordinality feed (id, n)
     where abs(hashtext(feed.n || known.value)) % (feed.n * feed.n + 3) = 0 or abs(hashtext(known.value)) % ${FEEDS} + 1 = feed.n`,
    [feedIds],
  )
  await base.bare.query(
    'update sources set run_no = 5, run_at = now(), listed = (select count(*) from indicator_sources where source_id = sources.id)',
  )
  await base.bare.query('vacuum analyze indicator_sources')
  await base.bare.query('vacuum analyze indicators')
  const { rows: counted } = await base.bare.query('select count(*)::int as links from indicator_sources')

  const floorOf = async () =>
    await secondsOf(
      async () =>
        await base.bare.query(
          'select holders, count(*) from (select count(*) as holders from indicator_sources group by indicator_id) by_value group by holders',
        ),
    )
  const measure = async (title: string, goal: number) => {
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(await floorOf())
      ours.push(await secondsOf(async () => await base.services.quality.compute(BENCH_ACTOR)))
    }
    report(`Quality of ${FEEDS} feeds over ${VALUES} values and ${counted[0].links} links, ${title}`, { ours, floor, goal })
  }
  await measure('no warning list', GOAL)
  const lists = [
    { name: 'ranges', type: 'cidr', list: rangeList(60_000) },
    { name: 'hosts', type: 'hostname', list: domainList(100_000, 7).concat(domains.filter((_, n) => n % 500 === 0)) },
    { name: 'values', type: 'string', list: domains.filter((_, n) => n % 700 === 0) },
  ]
  for (const list of lists)
    console.log(
      `  import of ${list.list.length} ${list.name}: ${(await secondsOf(async () => await base.services.warningLists.import(BENCH_ACTOR, list))).toFixed(2)} s`,
    )
  await measure('160 000 entries of warning lists', GOAL_WITH_LISTS)
  const { items } = await base.services.quality.report()
  const [largest] = items
  console.log(`  the largest feed: ${JSON.stringify(largest)}`)
  console.log(`  reading the report: ${((await secondsOf(async () => await base.services.quality.report())) * 1000).toFixed(1)} ms`)
  const id = largest?.feed_id ?? ''
  const remove = async (dryRun: boolean) => await base.services.feeds.remove(BENCH_ACTOR, id, { purge: true, dryRun })
  console.log(`  counting its orphans: ${(await secondsOf(async () => await remove(true))).toFixed(1)} s`)
  const startMs = performance.now()
  const { orphans, kept } = await remove(false)
  console.log(`  purging it, ${orphans} orphans and ${kept} values that stay: ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
} finally {
  await base.close()
}
