import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Collection } from '#domains/feeds/settle-collection.service.ts'
import { createServices } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { startListServer } from '../support/list-server.ts'
import { countWritesSince, markWrites } from '../support/row-writes.ts'

// Collects real public lists over loopback HTTP, each twice and with nothing set: the second time must see every value again and write no row.
const FILES = [
  { path: 'ip/ipsum.txt', format: 'CSV' },
  { path: 'ip/romainmarcoux-full.txt', format: 'CSV' },
  { path: 'domain/maltrail-malware-domains.txt', format: 'CSV' },
  { path: 'cidr/x4b-datacenter-ipv4.txt', format: 'CSV' },
  { path: 'cidr/x4b-datacenter-ipv6.txt', format: 'CSV' },
  { path: 'csv/tweetfeed-2025-2026.csv', format: 'CSV' },
  { path: 'csv/infoblox-combined.csv', format: 'CSV' },
  { path: 'csv/blackbook.csv', format: 'CSV' },
  { path: 'json/targetedthreats.json', format: 'JSON' },
]
const ACTOR: Actor = { name: 'real data', role: 'ADMIN' }
/** A share of refused rows above this is a fault or has its reason in docs/rejections.md. */
const EXPLAINED_SHARE = 0.01

const { values: options } = parseArgs({ options: { data: { type: 'string' }, examples: { type: 'boolean', default: false } } })
const folder = resolve(
  options.data ?? process.env['SVC_REAL_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'feeds',
)
if (!existsSync(folder)) {
  console.log(`The real data is absent: there is no folder ${folder}. Name another with --data <folder>. Nothing was checked.`)
  process.exit(0)
}

const dataDir = mkdtempSync(join(tmpdir(), 'svc-real-'))
await chmod(dataDir, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
await migrateToLatest(postgres.ownerUrl, 'svc_app')
const lists = await startListServer()
const config = loadConfig(
  { DATABASE_URL: postgres.appUrl, SECRET_KEY: 'real data '.repeat(5), OUTBOUND_ALLOW_HOSTS: lists.host, SVC_ENV_FILE: '' },
  '/',
)
const services = await createServices(config, SILENT_LOGGING, 'svc real-data')
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
await owner.connect()
const faults: string[] = []
try {
  for (const { path, format } of FILES) await checkFile(path, format)
} finally {
  await owner.end()
  await services.close()
  await lists.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(
  `${FILES.length - new Set(faults.map((fault) => fault.split(':')[0])).size} passed, ${new Set(faults.map((fault) => fault.split(':')[0])).size} failed`,
)
process.exitCode = faults.length === 0 ? 0 : 1

async function checkFile(path: string, format: string): Promise<void> {
  const body = readFileSync(join(folder, path), 'utf8')
  const name = path.replaceAll('/', '-')
  lists.publish(name, body)
  const { id } = await services.feeds.create(ACTOR, { name, url: lists.urlOf(name), format })
  const first = await timed(id)
  describe(path, first)
  // Another body with the same values: an unchanged one would not even be read.
  lists.publish(name, format === 'CSV' ? `${body.endsWith('\n') ? body : `${body}\n`}# read again\n` : `${body}\n`)
  const mark = await markWrites(services.db)
  const before = await logPosition()
  const second = await timed(id)
  const after = await logPosition()
  const rowWrites = await countWritesSince(services.db, mark)
  console.log(
    `  again: ${second.run.outcome}, new ${second.run.new_count}, seen again ${second.run.updated_count}, gone ${second.run.gone_count}; ${rowWrites} rows written, ${((after - before) / 1024).toFixed(0)} kB of log, ${second.seconds.toFixed(1)} s`,
  )
  const stored = first.run.new_count + first.run.updated_count
  if (first.run.outcome !== 'SUCCEEDED' || stored === 0) faults.push(`${path}: ${first.run.outcome}, ${first.run.error}`)
  if (second.run.updated_count !== stored || rowWrites !== 0)
    faults.push(`${path}: the second run saw ${second.run.updated_count} of ${stored} values and wrote ${rowWrites} rows`)
  const { rows } = await owner.query(
    'select count(*) filter (where hits <> 2)::int as wrong, count(*)::int as all from source_sightings where source_id = $1',
    [id],
  )
  if (rows[0].wrong !== 0 || rows[0].all !== stored)
    faults.push(`${path}: ${rows[0].wrong} of ${rows[0].all} values do not count two sightings`)
}

async function timed(feedId: string): Promise<{ run: Collection; seconds: number }> {
  const startMs = performance.now()
  const run = await services.collect.collect(ACTOR, feedId)
  return { run, seconds: (performance.now() - startMs) / 1000 }
}

function describe(path: string, { run, seconds }: { run: Collection; seconds: number }): void {
  const share = run.rejected_count / Math.max(1, run.row_count)
  console.log(
    `${path}: ${run.outcome}, ${run.row_count} rows, stored ${run.new_count + run.updated_count} (${run.new_count} new to the base), unsupported ${run.unsupported_count}, ${seconds.toFixed(1)} s`,
  )
  const reasons = Object.entries(run.rejected_by_code).map(([code, rows]) => `${rows} ${code}`)
  console.log(
    `  refused ${run.rejected_count} (${(100 * share).toFixed(2)} %)${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}${share > EXPLAINED_SHARE ? '; see docs/rejections.md' : ''}`,
  )
  if (options.examples)
    for (const { line, value, reason } of run.rejections.slice(0, 5)) console.log(`    line ${line}: ${value} - ${reason}`)
}

/** Bytes of write-ahead log so far. */
async function logPosition(): Promise<number> {
  const { rows } = await owner.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position")
  return rows[0].position
}
