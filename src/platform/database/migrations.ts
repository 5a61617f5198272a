import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import pg from 'pg'
import { DomainError } from '#kernel/errors.ts'
import { type Db, openDatabase } from './database.ts'
import { grantAppRole } from './grants.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** Where the schema stands: the newest migration applied, the newest there is, and how many are missing. */
export type SchemaVersion = { current: string | undefined; head: string; missing: number }

/**
 * Applies every missing migration and then the application role's rights. Safe to run twice and by two at once (locked by the migrator).
 * @throws migration_failed with the name of the step that failed; steps before it stay applied
 */
export async function migrateToLatest(ownerUrl: string, appRole: string): Promise<string[]> {
  return await withMigrator(ownerUrl, async (migrator, db) => {
    const applied = namesOf(await migrator.migrateToLatest())
    await grantAppRole(db, appRole)
    return applied
  })
}

/** Takes back the newest `steps` migrations. @throws migration_failed */
export async function migrateDown(ownerUrl: string, steps: number): Promise<string[]> {
  return await withMigrator(ownerUrl, async (migrator) => {
    const undone: string[] = []
    for (let step = 0; step < steps; step++) undone.push(...namesOf(await migrator.migrateDown()))
    return undone
  })
}

/** The schema's place among the migrations; works with the application role too. */
export async function readSchemaVersion(db: Db): Promise<SchemaVersion> {
  const names = await migrationNames()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return { rows: [] }
    throw error
  })
  const applied = new Set(rows.map(({ name }) => name))
  return { current: rows.at(-1)?.name, head: names.at(-1) ?? '', missing: names.filter((name) => !applied.has(name)).length }
}

const UNDEFINED_TABLE = '42P01'

async function withMigrator<Result>(ownerUrl: string, work: (migrator: Migrator, db: Db) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 5000, application_name: 'svc db' })
  pool.on('error', () => {})
  const db = openDatabase(pool)
  try {
    return await work(new Migrator({ db, provider: { getMigrations } }), db)
  } finally {
    await db.destroy()
  }
}

/** Kysely reports a failure in the result instead of throwing. */
function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName
    throw new DomainError(
      'migration_failed',
      `Migration ${failed ?? '(none began)'} failed: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files
    .filter((file) => file.endsWith('.up.sql'))
    .map((file) => file.slice(0, -'.up.sql'.length))
    .sort()
}

/** SQL pairs from the folder. A step without its way back is refused: Kysely would silently stop going down there. */
async function getMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const name of await migrationNames()) {
    const up = await readFile(join(FOLDER, `${name}.up.sql`), 'utf8')
    const down = await readFile(join(FOLDER, `${name}.down.sql`), 'utf8').catch(() => {
      throw new DomainError('migration_failed', `Migration ${name} has no ${name}.down.sql.`)
    })
    migrations[name] = {
      up: async (db) => void (await sql.raw(up).execute(db)),
      down: async (db) => void (await sql.raw(down).execute(db)),
    }
  }
  return migrations
}
