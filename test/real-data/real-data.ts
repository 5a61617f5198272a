import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Collection } from '#domains/feeds/collecting/settle-collection.service.ts'
import { createServices } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { realDataFolder } from '#test/support/real-data.ts'
import { startListServer } from '../support/list-server.ts'
import { type Pulse, startPulseServer } from '../support/pulse-server.ts'
import { countWritesSince, markWrites } from '../support/row-writes.ts'
import { startTaxiiServer } from '../support/taxii-server.ts'

// Collects real public lists, STIX documents, TAXII pages and pulses over loopback HTTP, each twice: the second time must write no row. A list must
// see every value again; a cursor feed must find that there is nothing new.
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
/** Folders of STIX documents, and of the pages of one TAXII collection and of pulses. */
const STIX_FOLDERS = ['stix/mvt', 'stix/oasis-docs', 'stix/oasis-examples']
const TAXII_PAGES = 'taxii/tweetfeed/pages'
const PULSE_PAGES = 'pulses'
/** Objects and pulses of one page of the loopback servers. */
const PAGE_OBJECTS = 200
const PAGE_PULSES = 10
const ACTOR: Actor = { name: 'real data', role: 'ADMIN' }
/** A share of refused rows above this is a fault or has its reason in docs/rejections.md. */
const EXPLAINED_SHARE = 0.01

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string', default: '' }, examples: { type: 'boolean', default: false } },
})
const folder = realDataFolder('feeds', options.data)
if (!existsSync(folder)) {
  console.log(`The real data is absent: there is no folder ${folder}. Name another with --data <folder>. Nothing was checked.`)
  process.exit(0)
}

const dataDir = mkdtempSync(join(tmpdir(), 'svc-real-'))
await chmod(dataDir, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
await migrateToLatest(postgres.ownerUrl, 'svc_app')
const lists = await startListServer()
const taxii = await startTaxiiServer()
const pulses = await startPulseServer()
const config = loadConfig(
  {
    DATABASE_URL: postgres.appUrl,
    SECRET_KEY: 'real data '.repeat(5),
    OUTBOUND_ALLOW_HOSTS: [lists.host, taxii.host, pulses.host].join(','),
    PULSE_BASE_URL: pulses.base,
    SVC_ENV_FILE: '',
  },
  '/',
)
const services = await createServices(config, SILENT_LOGGING, 'svc real-data')
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
await owner.connect()
const faults: string[] = []
let checked = 0
try {
  const documents = STIX_FOLDERS.flatMap((below) => documentsIn(below)).map((path) => ({ path, format: 'STIX' }))
  for (const { path, format } of [...FILES, ...documents]) if (path.startsWith(options.only)) await checkFile(path, format)
  if (TAXII_PAGES.startsWith(options.only)) await checkTaxii()
  if (PULSE_PAGES.startsWith(options.only)) await checkPulses()
  tellAbsent()
} finally {
  await owner.end()
  await services.close()
  await Promise.all([lists.close(), taxii.close(), pulses.close()])
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const fault of faults) console.log(`FAULT ${fault}`)
const failed = new Set(faults.map((fault) => fault.split(':')[0])).size
console.log(`${checked - failed} passed, ${failed} failed`)
process.exitCode = faults.length === 0 ? 0 : 1

async function checkFile(path: string, format: string): Promise<void> {
  checked++
  const body = readFileSync(join(folder, path), 'utf8')
  const name = path.replaceAll('/', '-')
  lists.publish(name, body)
  const { id } = await services.feeds.create(ACTOR, { name, url: lists.urlOf(name), format, ...(format === 'STIX' ? { tlp: 'RED' } : {}) })
  const first = await timed(id)
  describe(path, first)
  // Another body with the same values: an unchanged one would not even be read.
  lists.publish(name, format === 'CSV' ? `${body.endsWith('\n') ? body : `${body}\n`}# read again\n` : `${body}\n`)
  const { second, rowWrites } = await readAgain(id)
  const stored = first.run.new_count + first.run.updated_count
  // A document may hold nothing but names and reports.
  if (first.run.outcome !== 'SUCCEEDED' || (stored === 0 && format !== 'STIX'))
    faults.push(`${path}: ${first.run.outcome}, ${first.run.error}`)
  if (second.updated_count !== stored || rowWrites !== 0)
    faults.push(`${path}: the second run saw ${second.updated_count} of ${stored} values and wrote ${rowWrites} rows`)
  await checkSightings(path, id, { values: stored, hits: 2 })
}

async function readAgain(id: string): Promise<{ second: Collection; rowWrites: number }> {
  const mark = await markWrites(services.db)
  const before = await logPosition()
  const { run, seconds } = await timed(id)
  const after = await logPosition()
  const rowWrites = await countWritesSince(services.db, mark)
  console.log(
    `  again: ${run.outcome}, new ${run.new_count}, seen again ${run.updated_count}, gone ${run.gone_count}; ${rowWrites} rows written, ${((after - before) / 1024).toFixed(0)} kB of log, ${seconds.toFixed(1)} s`,
  )
  return { second: run, rowWrites }
}

async function checkSightings(path: string, id: string, want: { values: number; hits: number }): Promise<void> {
  const { rows } = await owner.query(
    'select count(*) filter (where hits <> $2)::int as wrong, count(*)::int as all from source_sightings where source_id = $1',
    [id, want.hits],
  )
  if (rows[0].wrong !== 0 || rows[0].all !== want.values)
    faults.push(`${path}: ${rows[0].wrong} of ${rows[0].all} values (of ${want.values}) do not count ${want.hits} sightings`)
}

/** All pages that are there as one collection, in their order. */
async function checkTaxii(): Promise<void> {
  const pages = documentsIn(TAXII_PAGES)
  const objects = pages.flatMap((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>[])
  if (objects.length === 0) return
  const firstMicros = (Date.now() - 3_600_000) * 1000
  taxii.configure({ pageObjects: PAGE_OBJECTS })
  taxii.objects().push(...objects.map((object, n) => ({ object, addedMicros: firstMicros + n })))
  await checkCursorFeed(`${TAXII_PAGES} (${pages.length} files)`, { name: TAXII_PAGES, url: taxii.collectionUrl(), format: 'TAXII' })
}

/** All pulses that are there as the subscriptions of one account, the newest first. */
async function checkPulses(): Promise<void> {
  const files = documentsIn(PULSE_PAGES)
  const all = files.flatMap((path): Pulse[] => {
    const document = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Pulse[] | { results: Pulse[] }
    return Array.isArray(document) ? document : document.results
  })
  if (all.length === 0) return
  pulses.configure({ pagePulses: PAGE_PULSES })
  pulses.pulses.push(...all.sort((first, second) => (first.modified < second.modified ? 1 : -1)))
  await checkCursorFeed(`${PULSE_PAGES} (${files.length} files, ${all.length} pulses)`, {
    name: PULSE_PAGES,
    url: pulses.url,
    format: 'PULSE',
  })
}

async function checkCursorFeed(title: string, feed: { name: string; url: string; format: string }): Promise<void> {
  checked++
  const { id } = await services.feeds.create(ACTOR, { ...feed, tlp: 'RED' })
  const first = await timed(id)
  describe(title, first)
  const { second, rowWrites } = await readAgain(id)
  if (first.run.outcome !== 'SUCCEEDED' || first.run.new_count + first.run.updated_count === 0)
    faults.push(`${title}: ${first.run.outcome}, ${first.run.error}`)
  if (second.outcome !== 'UNCHANGED' || rowWrites !== 0)
    faults.push(`${title}: the second run was ${second.outcome} and wrote ${rowWrites} rows`)
  const { rows } = await owner.query('select count(*)::int as all from source_sightings where source_id = $1', [id])
  await checkSightings(title, id, { values: rows[0].all, hits: 1 })
}

/** The JSON documents of a folder, as paths below the data; none when there is no such folder. */
function documentsIn(below: string): string[] {
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => `${below}/${name}`)
}

/** Says which documents the data's own list names and the folder lacks: what was not there was not checked. */
function tellAbsent(): void {
  const manifest = join(folder, '..', 'MANIFEST.md')
  const listed = existsSync(manifest) ? [...readFileSync(manifest, 'utf8').matchAll(/\| (\S+)\/\*\.json \((\d+) files\)/g)] : []
  for (const [, below = '', count] of listed) {
    const here = documentsIn(below).length
    if (here !== Number(count)) console.log(`NOT ALL HERE ${below}: ${count} files are listed, ${here} are in the folder and were checked.`)
  }
  if (documentsIn(PULSE_PAGES).length === 0) console.log(`ABSENT ${PULSE_PAGES}: there are no pulses in the folder. None was checked.`)
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
  const kinds = Object.entries(run.unsupported_by_kind).sort(([, one], [, other]) => other - one)
  if (kinds.length > 0) console.log(`  not held: ${kinds.map(([kind, rows]) => `${kind} ${rows}`).join(', ')}`)
  if (options.examples)
    for (const { line, value, reason } of run.rejections.slice(0, 5)) console.log(`    line ${line}: ${value} - ${reason}`)
}

/** Bytes of write-ahead log so far. */
async function logPosition(): Promise<number> {
  const { rows } = await owner.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position")
  return rows[0].position
}
