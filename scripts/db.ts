// `npm run db:up` and `npm run db:down`: the embedded database of DATA_DIR alone, migrated, for work with an SQL client or with `svc` commands.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRuntime, removeRuntimeFile, writeRuntimeFile } from '#entrypoints/up/runtime-file.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'

const { DATA_DIR, DATABASE_APP_ROLE } = loadConfig()
const dataDir = resolve(DATA_DIR)
const POLL_MS = 100
const WAIT_MS = 60_000

async function waitUntil(isSo: () => boolean): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS
  while (!isSo() && Date.now() < deadline) await new Promise((next) => setTimeout(next, POLL_MS))
  return isSo()
}

async function hold(): Promise<void> {
  const database = await startEmbeddedPostgres({ dataDir, appRole: DATABASE_APP_ROLE, log: console.error })
  const stop = async (): Promise<void> => {
    removeRuntimeFile(dataDir)
    await database.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  await migrateToLatest(database.ownerUrl, DATABASE_APP_ROLE)
  writeRuntimeFile(dataDir, { url: '(the database alone)', databaseUrl: database.appUrl, ownerUrl: database.ownerUrl })
}

async function up(): Promise<void> {
  if (findRuntime(dataDir) === undefined) {
    const holder = spawn(process.execPath, [fileURLToPath(import.meta.url), 'hold'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const over = new Promise<boolean>((next) => holder.once('exit', () => next(false)))
    if (!(await Promise.race([over, waitUntil(() => findRuntime(dataDir) !== undefined)]))) {
      process.exitCode = 1
      return
    }
    holder.unref()
  }
  const running = findRuntime(dataDir)
  console.log(`DATABASE_URL=${running?.databaseUrl}\nMIGRATION_DATABASE_URL=${running?.ownerUrl}`)
}

async function down(): Promise<void> {
  const running = findRuntime(dataDir)
  if (running === undefined) return console.log('No database is running.')
  process.kill(running.pid, 'SIGTERM')
  if (!(await waitUntil(() => findRuntime(dataDir) === undefined))) process.exitCode = 1
  console.log('Stopped.')
}

const [verb] = process.argv.slice(2)
if (verb === 'up') await up()
else if (verb === 'down') await down()
else if (verb === 'hold') await hold()
else throw new Error('Usage: db.ts up|down')
