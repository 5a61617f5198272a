// `npm run migrations`: applies every migration to an empty database, takes all back, applies them again. Fails when a way back leaves
// something, or when the second way up gives another schema than the first.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.ts'
import { migrateDown, migrateToLatest } from '../src/platform/database/migrations.ts'
import { ROOT } from './project.mjs'

const APP_ROLE = 'svc_app'
const MIGRATOR_TABLE = 'kysely_migration'

/** Everything that a migration can make, one line each. */
const SCHEMA = `
  select format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  union all select format('rights %s %s %s %s', relkind, relname, relacl, reloptions) from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'
  union all select pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indrelid where c.relnamespace = 'public'::regnamespace
  union all select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
  union all select format('function %s %s %s', oid::regprocedure, md5(prosrc), proacl) from pg_proc where pronamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid where c.relnamespace = 'public'::regnamespace and not tgisinternal
  union all select format('type %s %s', typname, typtype) from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
  union all select format('view %s %s', viewname, md5(definition)) from pg_views where schemaname = 'public'
  union all select format('comment %s %s', objoid::regclass, description) from pg_description where classoid = 'pg_class'::regclass and objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  order by 1`

const dataDir = mkdtempSync(join(tmpdir(), 'svc-migrations-'))
const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off', shared_buffers: '32MB' } })
try {
  process.exitCode = await check(server.ownerUrl)
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function check(ownerUrl) {
  const applied = await migrateToLatest(ownerUrl, APP_ROLE)
  const first = await readSchema(ownerUrl)
  const undone = await migrateDown(ownerUrl, applied.length)
  const rest = (await readSchema(ownerUrl)).filter((line) => !line.includes(MIGRATOR_TABLE))
  await migrateToLatest(ownerUrl, APP_ROLE)
  const second = await readSchema(ownerUrl)
  const problems = [
    ...difference([`${pairCount()} migrations applied`], [`${applied.length} migrations applied`]),
    ...difference([`${applied.length} migrations taken back`], [`${undone.length} migrations taken back`]),
    ...rest.map((line) => `left after the way back: ${line}`),
    ...difference(first, second),
  ]
  process.stdout.write(problems.length === 0 ? `${applied.length} migrations: up, down, up.\n` : `${problems.join('\n')}\n`)
  return problems.length === 0 ? 0 : 1
}

async function readSchema(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: SCHEMA, rowMode: 'array' })
    return rows.map(([line]) => line)
  } finally {
    await client.end()
  }
}

function difference(wanted, found) {
  return [
    ...wanted.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !wanted.includes(line)).map((line) => `unexpected: ${line}`),
  ]
}

function pairCount() {
  return readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.up.sql')).length
}
