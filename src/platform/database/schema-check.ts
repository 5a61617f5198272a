import { sql } from 'kysely'
import type { Db } from './database.ts'
import { FILLED, readTableRules } from './grants.ts'
import { readSchemaVersion } from './migrations.ts'

/** Something in the database that is not as the code expects it, and what puts it right. */
export type SchemaFinding = { finding: string; remedy: string }

/** True when the session's role may read every table: the rights were given after the newest migration. */
export async function hasDataRights(db: Db): Promise<boolean> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::int as missing from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and not has_table_privilege(oid, 'select')`.execute(db)
  return rows[0]?.missing === 0
}

/** Everything in which the database differs from what the code expects: migrations, the application role's rights, the guards of append-only tables, the triggers that fill columns. */
export async function checkSchema(db: Db, appRole: string): Promise<SchemaFinding[]> {
  const findings = await checkVersion(db)
  const { rows } = await sql<{ found: number }>`select 1 as found from pg_roles where rolname = ${appRole}`.execute(db)
  if (rows.length === 0)
    findings.push({ finding: `The application role ${appRole} does not exist.`, remedy: `svc db app-role ${appRole} --create` })
  else findings.push(...(await checkGrants(db, appRole)))
  return [...findings, ...(await checkGuards(db)), ...(await checkFillers(db))]
}

async function checkVersion(db: Db): Promise<SchemaFinding[]> {
  const { current, head, missing } = await readSchemaVersion(db)
  if (missing > 0)
    return [
      { finding: `The schema is at ${current ?? 'nothing'}; ${missing} migration(s) are missing up to ${head}.`, remedy: 'svc db upgrade' },
    ]
  if (current !== undefined && current > head)
    return [
      {
        finding: `The schema is at ${current}, newer than this version of svc (${head}).`,
        remedy: 'install the version of svc that belongs to it',
      },
    ]
  return []
}

type Rights = { table: string; select: boolean; insert: boolean; update: boolean; delete: boolean; truncate: boolean }

async function checkGrants(db: Db, appRole: string): Promise<SchemaFinding[]> {
  const rules = await readTableRules(db)
  const { rows } = await sql<Rights>`
    select relname as table, has_table_privilege(${appRole}, oid, 'select') as select, has_table_privilege(${appRole}, oid, 'insert') as insert,
      has_table_privilege(${appRole}, oid, 'update') as update, has_table_privilege(${appRole}, oid, 'delete') as delete,
      has_table_privilege(${appRole}, oid, 'truncate') as truncate
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(db)
  return rows.flatMap((rights) => {
    const rule = rules.get(rights.table)
    const wanted = {
      select: true,
      insert: rule !== 'migrations-only',
      update: rule === undefined,
      delete: rule === undefined,
      truncate: false,
    }
    return (Object.keys(wanted) as (keyof typeof wanted)[])
      .filter((right) => rights[right] !== wanted[right])
      .map((right) => ({
        finding: `${appRole} ${wanted[right] ? 'lacks' : 'must not have'} ${right.toUpperCase()} on ${rights.table}${rule === undefined ? '' : ` (${rule})`}.`,
        remedy: 'svc db upgrade',
      }))
  })
}

/** Bits of pg_trigger.tgtype. Source: PostgreSQL, catalog/pg_trigger.h. */
const ROW = 1
const BEFORE = 2
const INSERT = 4
const DELETE = 8
const UPDATE = 16
const TRUNCATE = 32
const ALWAYS = 'A'

async function checkGuards(db: Db): Promise<SchemaFinding[]> {
  const { rows } = await sql<{ table: string; type: number; enabled: string }>`
    select relation.relname as table, trigger.tgtype::int as type, trigger.tgenabled::text as enabled
    from pg_trigger trigger join pg_class relation on relation.oid = trigger.tgrelid join pg_proc function on function.oid = trigger.tgfoid
    where function.proname = 'refuse_change' and relation.relnamespace = 'public'::regnamespace`.execute(db)
  const findings: SchemaFinding[] = []
  for (const [table, rule] of await readTableRules(db)) {
    if (rule !== 'append-only') continue
    const guards = rows.filter((row) => row.table === table && row.enabled === ALWAYS && (row.type & BEFORE) !== 0)
    const refuses = (event: number) => guards.some(({ type }) => (type & event) !== 0 && (event === TRUNCATE || (type & ROW) !== 0))
    for (const [word, event] of [
      ['UPDATE', UPDATE],
      ['DELETE', DELETE],
      ['TRUNCATE', TRUNCATE],
    ] as const)
      if (!refuses(event))
        findings.push({
          finding: `No trigger refuses ${word} on ${table}, which is append-only.`,
          remedy: `as the owner: alter table ${table} enable always trigger all; if the trigger is gone, restore it from migrations/`,
        })
  }
  return findings
}

/** Columns that a trigger fills need one that nothing passes by: BEFORE INSERT for each row, enabled always. */
async function checkFillers(db: Db): Promise<SchemaFinding[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select relation.relname as table, min(attribute.attname) as column
    from pg_class relation join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum > 0
    where relation.relnamespace = 'public'::regnamespace and col_description(relation.oid, attribute.attnum) = ${FILLED}
      and not exists (
        select from pg_trigger trigger where trigger.tgrelid = relation.oid and not trigger.tgisinternal
          and trigger.tgenabled = ${ALWAYS} and trigger.tgtype & ${ROW | BEFORE | INSERT} = ${ROW | BEFORE | INSERT})
    group by relation.relname order by relation.relname`.execute(db)
  return rows.map(({ table, column }) => ({
    finding: `No trigger fills ${table}.${column}: an insert would fail or leave it as given.`,
    remedy: `as the owner: alter table ${table} enable always trigger all; if the trigger is gone, restore it from migrations/`,
  }))
}
