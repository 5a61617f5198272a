import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { systemClock } from '#kernel/clock.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Output } from '#platform/cli/output.ts'
import type { Config } from '#platform/config/settings.ts'
import type { Log, Logging } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { type Closers, createClosers } from '../closers.ts'
import { openLogging } from '../open-logging.ts'
import type { Services } from '../services.ts'
import { listenForStop } from '../stop-signals.ts'
import type { NewAdministrator } from './first-administrator.ts'
import { frame } from './frame.ts'
import { findRuntime, removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts'
import { keepSigningKey } from './signing-key.ts'

export type UpOptions = { seed: boolean; worker: boolean }
type Databases = { databaseUrl: string; ownerUrl: string | undefined }

/** Runs everything in one process until it is told to stop. @throws CannotRun, data_dir_in_use, setting_invalid, migration_failed */
export async function up(settings: Config, options: UpOptions, out: Output): Promise<void> {
  const logging = openLogging(settings, { quietOnTerminal: true })
  const log = logging.for('svc.up')
  const stop = listenForStop()
  const closers = createClosers((error) => log.error('up.stop_failed', { reason: reasonOf(error) }))
  try {
    await start(settings, options, { out, logging, closers, stopped: stop.signal })
    await stop.requested
    out.progress('Stopping…')
  } catch (error) {
    // Asked to stop before it was up: that is no failure.
    if (!stop.signal.aborted) throw error
  } finally {
    await closers.closeAll()
    out.progress('')
    stop.dispose()
  }
}

type Surroundings = { out: Output; logging: Logging; closers: Closers; stopped: AbortSignal }

async function start(settings: Config, options: UpOptions, { out, logging, closers, stopped }: Surroundings): Promise<void> {
  const dataDir = resolve(settings.DATA_DIR)
  const log = logging.for('svc.up')
  out.progress('Starting the database…')
  // Loaded while the database starts: neither waits for the other.
  const modules = loadModules()
  modules.catch(() => {})
  const databases = await openDatabases(settings, { dataDir, closers, log })
  stopped.throwIfAborted()
  const { createServices, buildApp, startWorker, webDirOf, closeApp, listen, requireFreePort, toBaseUrl } = await modules
  await requireFreePort(settings)
  const config: Config = {
    ...settings,
    DATABASE_URL: databases.databaseUrl,
    SECRET_KEY: settings.SECRET_KEY ?? keepSigningKey(dataDir),
    WEB_DIR: webDirOf(settings),
  }
  const services = await createServices(config, logging, 'svc up')
  closers.add(async () => await services.close())
  out.progress('Preparing the schema…')
  await prepareSchema(services, config, databases.ownerUrl)
  stopped.throwIfAborted()

  const administrator = await prepareBase(services, config, { seed: options.seed, log })
  let announced = false
  const announce = (url?: string): void => {
    if (administrator === undefined) out.line(`svc is running at ${url}`)
    else for (const line of frame(welcome(url, administrator))) out.line(line)
    announced = true
  }
  try {
    const app = await buildApp(services, config, logging)
    closers.add(async () => await closeApp(app))
    const url = config.PUBLIC_URL ?? toBaseUrl(config.HOST, await listen(app, config))
    writeRuntimeFile(dataDir, { url, databaseUrl: databases.databaseUrl, ownerUrl: databases.ownerUrl ?? null })
    closers.add(() => removeRuntimeFile(dataDir))
    if (options.worker) {
      const worker = startWorker(services, logging)
      closers.add(async () => await worker.stop())
    }
    announce(url)
    log.info('up.ready', { url, worker: options.worker })
  } finally {
    // The password is shown this once and never again, so it must not get lost with a port that was taken.
    if (!announced && administrator?.generated === true) announce()
  }
}

async function loadModules() {
  const [{ createServices }, { buildApp }, api, { startWorker }] = await Promise.all([
    import('../services.ts'),
    import('../api/build-app.ts'),
    import('../api/listen.ts'),
    import('../worker/start-worker.ts'),
  ])
  return { createServices, buildApp, startWorker, ...api }
}

/** The data folder is locked either way: by the embedded server, or here when the database is elsewhere. */
async function openDatabases(
  settings: Config,
  { dataDir, closers, log }: { dataDir: string; closers: Closers; log: Log },
): Promise<Databases> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const running = findRuntime(dataDir)
  if (running !== undefined)
    throw new CannotRun(
      `The service is already running on ${dataDir}, at ${running.url} (process ${running.pid}).`,
      `use that one, stop it (kill ${running.pid}), or choose another folder with DATA_DIR`,
    )
  if (settings.DATABASE_URL !== undefined) {
    const { lockFolder } = await import('#platform/database/embedded/folder-lock.ts')
    const lock = await lockFolder(dataDir)
    closers.add(async () => await lock.release())
    return { databaseUrl: settings.DATABASE_URL, ownerUrl: settings.MIGRATION_DATABASE_URL }
  }
  const { startEmbeddedPostgres } = await import('#platform/database/embedded/embedded-postgres.ts')
  const database = await startEmbeddedPostgres({
    dataDir,
    appRole: settings.DATABASE_APP_ROLE,
    log: (line) => log.info('database.note', { note: line }),
  })
  closers.add(async () => await database.stop())
  return { databaseUrl: database.appUrl, ownerUrl: database.ownerUrl }
}

/** Brings the schema to its newest state; two short statements when it is there already. */
async function prepareSchema({ db }: Services, config: Config, ownerUrl: string | undefined): Promise<void> {
  const { migrateToLatest, readSchemaVersion } = await import('#platform/database/migrations.ts')
  const { hasDataRights } = await import('#platform/database/schema-check.ts')
  if ((await readSchemaVersion(db).catch(() => ({ missing: 1 }))).missing === 0 && (await hasDataRights(db))) return
  if (ownerUrl === undefined)
    throw new CannotRun(
      'The schema is behind, and MIGRATION_DATABASE_URL is not set.',
      'set it to the owner role of the database, or run: svc db upgrade',
    )
  await migrateToLatest(ownerUrl, config.DATABASE_APP_ROLE)
}

async function prepareBase(
  services: Services,
  config: Config,
  { seed, log }: { seed: boolean; log: Log },
): Promise<NewAdministrator | undefined> {
  const { ensureAdministrator } = await import('./first-administrator.ts')
  const administrator = await ensureAdministrator(services.accounts, config.ADMIN_PASSWORD)
  // Once: a feed of the catalogue that somebody has deleted must not come back by itself. `svc seed` brings it back.
  if (seed && administrator !== undefined) {
    const { createSeedService } = await import('#domains/feeds/seed.service.ts')
    const { sourcesService } = await import('#domains/indicators/sources.service.ts')
    const seeding = createSeedService({ db: services.db, audit: services.audit, log, clock: systemClock, sources: sourcesService })
    await seeding.seed(COMMAND_LINE_ACTOR)
  }
  return administrator
}

/** @param url undefined when the account was made but the service then did not start */
function welcome(url: string | undefined, { username, password, generated }: NewAdministrator): string[] {
  return [
    url === undefined ? 'The first administrator was made:' : 'svc is running. Log in as the first administrator:',
    '',
    ...(url === undefined ? [] : [`URL       ${url}`]),
    `User      ${username}`,
    `Password  ${generated ? password : '(that of ADMIN_PASSWORD)'}`,
    '',
    generated ? 'The password is shown this once. Ctrl+C stops the service.' : 'Ctrl+C stops the service.',
  ]
}
