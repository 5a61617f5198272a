import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Output } from '#platform/cli/output.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { Config } from '#platform/config/settings.ts'
import type { Logging } from '#platform/logging/logger.ts'
import { type Closers, createClosers } from '../closers.ts'
import type { ProductionWords } from '../production-rules.ts'
import type { Services } from '../services.ts'
import { requireSafeSettings } from '../setting-rules.ts'
import { listenForStop, type StopSignals } from '../stop-signals.ts'
import { findRuntime } from '../up/runtime-file.ts'

/** What commands are given: everything opens at its first use, so that `--help` opens nothing, and closes at the end. */
export type CliContext = {
  out: Output
  config(): Config
  /**
   * The settings completed for a process of its own: the address of the database, and a signing key when none is set.
   * @throws setting_invalid for unsafe ones, CannotRun
   */
  serviceConfig(): Promise<Config>
  /** @throws CannotRun when there is no database yet, or its schema is behind */
  services(): Promise<Services>
  /** Both addresses of the database. `create` makes an embedded one where there is none. @throws CannotRun */
  databases(options: { create: boolean }): Promise<Databases>
  /** Aborted by Ctrl+C. */
  signal(): AbortSignal
  close(): Promise<void>
}
/** `databaseUrl` is undefined when only the owner's is named: nothing but `svc db` runs as the owner. */
export type Databases = { databaseUrl: string | undefined; ownerUrl: string | undefined }

/** Nothing that a one-shot command signs outlives it. */
const THROWAWAY_KEY_BYTES = 32

export function createCliContext(out: Output): CliContext {
  const closers = createClosers((error) => out.note(`While closing: ${error instanceof Error ? error.message : String(error)}`))
  let config: Config | undefined
  let databases: Promise<Databases> | undefined
  let services: Promise<Services> | undefined
  let stop: StopSignals | undefined

  const context: CliContext = {
    out,
    config() {
      config ??= loadConfig()
      return config
    },
    async databases({ create }) {
      context.signal()
      databases ??= openDatabases(context.config(), { create, closers, out })
      return await databases
    },
    async serviceConfig() {
      const settings = context.config()
      requireSafeSettings(settings, commandWords(settings))
      const { databaseUrl } = await context.databases({ create: false })
      if (databaseUrl === undefined)
        throw new CannotRun(
          'DATABASE_URL is not set, and MIGRATION_DATABASE_URL is for `svc db` alone.',
          'set DATABASE_URL to the application role of the database',
        )
      const SECRET_KEY = settings.SECRET_KEY ?? randomBytes(THROWAWAY_KEY_BYTES).toString('hex')
      return { ...settings, DATABASE_URL: databaseUrl, SECRET_KEY }
    },
    async services() {
      services ??= openServices(context, closers)
      return await services
    },
    signal() {
      if (stop === undefined) {
        stop = listenForStop()
        closers.add(stop.dispose)
      }
      return stop.signal
    },
    async close() {
      await closers.closeAll()
    },
  }
  return context
}

/** A command does not say `--embedded` itself: the service that runs on the data folder has said it. */
export function commandWords({ DATA_DIR }: Config): ProductionWords {
  return { embedded: findRuntime(resolve(DATA_DIR)) !== undefined }
}

async function openServices(context: CliContext, closers: Closers): Promise<Services> {
  const config = await context.serviceConfig()
  const { createServices } = await import('../services.ts')
  const services = await createServices(config, await commandLogging(config), 'svc command')
  closers.add(async () => await services.close())
  const { readSchemaVersion } = await import('#platform/database/migrations.ts')
  const { missing, head } = await readSchemaVersion(services.db)
  if (missing > 0)
    throw new CannotRun(`The schema is behind this version: ${missing} migration(s) are missing up to ${head}.`, 'svc db upgrade')
  return services
}

/** A command says itself what it did; its log is for those who ask for one. */
async function commandLogging(config: Config): Promise<Logging> {
  const { openLogging } = await import('../open-logging.ts')
  return openLogging({ ...config, LOG_LEVEL: config.LOG_LEVEL ?? 'silent' }, { quietOnTerminal: true })
}

/** The named database, that of the service running on the data folder, or an embedded one started for this command. */
async function openDatabases(
  config: Config,
  { create, closers, out }: { create: boolean; closers: Closers; out: Output },
): Promise<Databases> {
  if (config.DATABASE_URL !== undefined) return { databaseUrl: config.DATABASE_URL, ownerUrl: config.MIGRATION_DATABASE_URL }
  if (config.MIGRATION_DATABASE_URL !== undefined) return { databaseUrl: undefined, ownerUrl: config.MIGRATION_DATABASE_URL }
  const dataDir = resolve(config.DATA_DIR)
  const running = findRuntime(dataDir)
  if (running !== undefined) return { databaseUrl: running.databaseUrl, ownerUrl: running.ownerUrl ?? undefined }
  if (!create && !existsSync(join(dataDir, 'postgres')))
    throw new CannotRun(`There is no database yet: DATABASE_URL is not set, and ${dataDir} holds none.`, 'svc up, or svc db init')
  out.progress('Starting the database…')
  const { startEmbeddedPostgres } = await import('#platform/database/embedded/embedded-postgres.ts')
  const database = await startEmbeddedPostgres({ dataDir, appRole: config.DATABASE_APP_ROLE, log: (line) => out.note(line) })
  closers.add(async () => await database.stop())
  out.progress('')
  return { databaseUrl: database.appUrl, ownerUrl: database.ownerUrl }
}
