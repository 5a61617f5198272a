// `npm run gen`: writes everything that is generated and committed. `npm run gen:check`: fails when that would change anything.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeApi } from '#entrypoints/api/openapi.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { generateSchema } from './gen-schema.ts'
import { generateSql } from './gen-sql.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OPENAPI_TYPES = join(ROOT, 'node_modules', 'openapi-typescript', 'bin', 'cli.js')

async function withMigratedDatabase<Result>(work: (ownerUrl: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-gen-'))
  chmodSync(folder, 0o711)
  const database = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  try {
    await migrateToLatest(database.ownerUrl, 'svc_app')
    return await work(database.ownerUrl)
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every generated file, by its path in the project. */
async function generateAll(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  files.set('src/platform/database/schema.ts', await withMigratedDatabase(generateSchema))
  files.set('openapi.json', `${JSON.stringify(await describeApi(), null, 2)}\n`)
  files.set('web/src/api/schema.gen.ts', typesOf(files.get('openapi.json') ?? ''))
  for (const [domain, text] of await generateSql()) files.set(`docs/sql/${domain}.sql`, text)
  return files
}

function typesOf(openapi: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-gen-'))
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')]
    writeFileSync(input, openapi)
    execFileSync(process.execPath, [OPENAPI_TYPES, input, '-o', output], { stdio: ['ignore', 'ignore', 'inherit'] })
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const checking = process.argv.includes('--check')
const changed: string[] = []
for (const [path, text] of await generateAll()) {
  const target = join(ROOT, path)
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue
  changed.push(path)
  if (checking) continue
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
if (changed.length === 0) console.log('Everything that is generated is up to date.')
else console.log(`${checking ? 'Out of date (npm run gen writes them)' : 'Written'}:\n  ${changed.join('\n  ')}`)
if (checking && changed.length > 0) process.exitCode = 1
