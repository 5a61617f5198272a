import { writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { openDatabase, openPool } from '#platform/database/database.ts'
import { FILLED, readTableRules } from '#platform/database/grants.ts'

type Column = {
  table: string
  column: string
  type: string
  nullable: boolean
  hasDefault: boolean
  isFilled: boolean
  isView: boolean
  check: string | null
}

const TYPESCRIPT_TYPE: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  inet: 'string',
  json: 'Json',
  jsonb: 'Json',
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  timestamptz: 'Timestamp',
  bytea: 'Buffer',
  _text: 'string[]',
  tsvector: 'string',
}

const HEADER = `// Generated from the migrated database by \`npm run gen\`. Do not edit.
import type { ColumnType } from 'kysely'

type Timestamp = ColumnType<Date, Date | string, Date | string>
/** Read as parsed JSON, written as JSON text. */
type Json = ColumnType<unknown, string, string>
/** A column of an append-only table: an update of it does not compile. */
type Fixed<T> = T extends ColumnType<infer S, infer I, unknown> ? ColumnType<S, I, never> : ColumnType<T, T, never>
/** A column that the database fills when it is left out. */
type Defaulted<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** A column that a trigger fills: no statement may give it. */
type Filled<T> = ColumnType<T, never, never>
`

/** The types of every table and view, closed unions taken from the CHECK constraints. */
export async function generateSchema(ownerUrl: string): Promise<string> {
  const db = openDatabase(openPool(ownerUrl, { maxConnections: 1, applicationName: 'svc gen' }))
  try {
    const { rows } = await sql<Column>`
      select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable, a.atthasdef as "hasDefault",
        coalesce(col_description(c.oid, a.attnum) = ${FILLED}, false) as "isFilled",
        c.relkind = 'v' as "isView",
        (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as check
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and c.relname not like 'kysely%'
      order by c.relname, a.attnum`.execute(db)
    const rules = await readTableRules(db)
    const tables = [...new Set(rows.map(({ table }) => table))]
    const interfaces = tables.map((table) => {
      const fixed = rules.get(table) === 'append-only'
      const lines = rows.filter((row) => row.table === table).map((row) => `  ${row.column}: ${typeOf(row, fixed)}`)
      return `export interface ${toPascalCase(table)} {\n${lines.join('\n')}\n}\n`
    })
    const members = tables.map((table) => `  ${table}: ${toPascalCase(table)}`)
    const fixed = tables.filter((table) => rules.get(table) === 'append-only').map((table) => `'${table}'`)
    const fixedTables = `/** Tables whose rows never change. */\nexport const APPEND_ONLY_TABLES = [${fixed.join(', ')}] as const satisfies readonly (keyof Database)[]\n`
    return `${HEADER}\n${interfaces.join('\n')}\nexport interface Database {\n${members.join('\n')}\n}\n\n${fixedTables}`
  } finally {
    await db.destroy()
  }
}

function typeOf(column: Column, fixed: boolean): string {
  const base = column.check !== null && isListOfWords(column.check) ? unionOf(column.check) : TYPESCRIPT_TYPE[column.type]
  if (base === undefined) throw new Error(`No TypeScript type is known for ${column.table}.${column.column} (${column.type}).`)
  // PostgreSQL does not know which columns of a view can be null; views are written so that only outer facts are.
  const nullable = column.nullable && (!column.isView || VIEW_NULLS.has(column.column))
  const full = nullable
    ? base === 'Timestamp'
      ? 'ColumnType<Date | null, Date | string | null, Date | string | null>'
      : `${base} | null`
    : base
  if (column.isFilled) return `Filled<${full}>`
  const defaulted = column.hasDefault ? `Defaulted<${full}>` : full
  return fixed ? `Fixed<${defaulted}>` : defaulted
}

const VIEW_NULLS = new Set(['severity', 'tags', 'description', 'reported_first_seen', 'reported_last_seen'])

/** A pattern is a text in a check as well, but no word that the column holds. */
function isListOfWords(check: string): boolean {
  return check.includes("'::text") && !check.includes('~')
}

function unionOf(check: string): string {
  return [...check.matchAll(/'([^']+)'::text/g)].map(([, word]) => `'${word}'`).join(' | ')
}

function toPascalCase(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}

if (import.meta.main) {
  const [url, path] = process.argv.slice(2)
  if (url === undefined || path === undefined) throw new Error('Usage: gen-schema.ts <owner database URL> <path>')
  await writeFile(path, await generateSchema(url))
}
