import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createServices } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { openDecodedFile } from '#platform/decoding/decoded-file.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { realDataFolder } from '#test/support/real-data.ts'

// Imports real CVE records, KEV catalogues and EPSS days in their order, and prints what each has done and how the priorities lie. Catalogues and days
// after the first are taken over as a synchronisation does it, to see what they would tell.
const STEPS = [
  { file: 'nvdcve-2.0-2018.json.gz' },
  { file: 'nvd-2.0-all.json.xz' },
  { file: 'nvd20-genuine-collection.json' },
  { file: 'anchore-overrides-as-nvd20.json.gz', onlyKnown: true },
  { file: 'kev/kev-before-removal-5e51cd8.json' },
  { file: 'kev/kev-TRUNCATED-15200f9.json', refused: true, synced: 'KEV' },
  { file: 'kev/kev-after-removal-2790dea.json', synced: 'KEV' },
  { file: 'kev/known_exploited_vulnerabilities-2025.08.25.json', synced: 'KEV' },
  { file: 'epss/epss_scores-2025-08-17.csv.gz' },
  { file: 'epss/epss_scores-2026-04-26.csv.gz', synced: 'EPSS' },
  { file: 'epss/epss_scores-2026-08-16.csv.gz', synced: 'EPSS' },
] as const satisfies { file: string; onlyKnown?: true; refused?: true; synced?: 'KEV' | 'EPSS' }[]
const ACTOR: Actor = { name: 'real data', role: 'ADMIN' }

const { values: options } = parseArgs({ options: { data: { type: 'string' } } })
const folder = realDataFolder('vuln', options.data)
if (!existsSync(folder)) {
  console.log(`The real data is absent: there is no folder ${folder}. Name another with --data <folder>. Nothing was checked.`)
  process.exit(0)
}
const dataDir = mkdtempSync(join(tmpdir(), 'svc-real-cves-'))
await chmod(dataDir, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
await migrateToLatest(postgres.ownerUrl, 'svc_app')
const config = loadConfig({ DATABASE_URL: postgres.appUrl, SECRET_KEY: 'real data '.repeat(5), SVC_ENV_FILE: '' }, '/')
const services = await createServices(config, SILENT_LOGGING, 'svc real-data')
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
await owner.connect()
let faults = 0
try {
  for (const step of STEPS) {
    const { file, onlyKnown = false, refused = false, synced } = { onlyKnown: undefined, refused: undefined, synced: undefined, ...step }
    if (synced !== undefined) {
      await takeOver(file, synced, refused)
      continue
    }
    const startMs = performance.now()
    const given = { onlyKnown, signal: new AbortController().signal, onProgress: () => {} }
    const done = await services.cvesImport.importFile(ACTOR, join(folder, file), given)
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(
      `${file}: ${done.records} records, ${done.created} new, ${done.updated} changed, ${done.unchanged} as they were, ${done.removed} removed, ${done.refused} refused; ${done.priorities} priorities; ${seconds} s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
    )
    for (const refusal of done.refusals.slice(0, 3)) console.log(`  refused ${refusal}`)
    if (done.error !== null) console.log(`  ${done.error}`)
    if ((done.error !== null) !== refused) faults++
    await tellPriorities()
  }
  const { rows: wrong } = await owner.query(`
    select count(*)::int as count from cves left join kev_entries kev on kev.cve_id = cves.id left join epss_scores epss on epss.cve_id = cves.id
    where score <> cve_score(cvss, probability, percentile, kev.cve_id is not null, coalesce(ransomware, false), exploit)
      or priority <> cve_priority(score, kev.cve_id is not null)`)
  console.log(`${wrong[0].count} stored scores differ from what they are made of`)
  faults += wrong[0].count
} finally {
  await owner.end()
  await services.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(`${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1

/** As a round of synchronisation takes it over, up to its alerts: those that it would raise are counted, and then noted as a base line. */
async function takeOver(file: string, source: 'KEV' | 'EPSS', refused: boolean): Promise<void> {
  const decoded = await openDecodedFile(join(folder, file))
  const text = async function* () {
    const decoder = new StringDecoder('utf8')
    for await (const chunk of decoded.read()) yield decoder.write(Buffer.from(chunk))
  }
  try {
    const { records, created, updated, removed, priorities } =
      source === 'KEV'
        ? await services.cveScores.applyKevCatalogue(text(), { silent: false })
        : await services.cveScores.applyEpssScores(text(), { silent: false, signal: new AbortController().signal })
    const { rows } = await owner.query(
      'select count(*)::int as count from cves left join cve_crossings held on held.cve_id = cves.id where cves.score >= $1 and coalesce(held.armed, true)',
      [config.RISK_ALERT_THRESHOLD],
    )
    console.log(
      `${file}, as synchronised: ${records} records, ${created} new, ${updated} changed, ${removed} removed; ${priorities} priorities, ${rows[0].count} alerts`,
    )
    if (refused) faults++
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    console.log(`${file}, as synchronised: ${error.message}`)
    if (!refused) faults++
  } finally {
    await decoded.close()
  }
  await services.cveScores.rescoreAll(ACTOR)
  await tellPriorities()
}

async function tellPriorities(): Promise<void> {
  const { rows } = await owner.query(`
    select priority, count(*)::int as count, count(kev.cve_id)::int as kev from cves left join kev_entries kev on kev.cve_id = cves.id group by 1 order by 1`)
  const { rows: high } = await owner.query('select count(*)::int as count from cves where score >= 70')
  console.log(
    `  ${rows.map(({ priority, count, kev }) => `${priority} ${count} (${kev} KEV)`).join(', ')}; score from 70: ${high[0].count}`,
  )
}
