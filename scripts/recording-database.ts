import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'

/** A database that runs nothing: it keeps the text of each statement, and answers each with one made-up row. */
export function openRecordingDatabase(): { db: Db; takeStatements(): string[] } {
  let statements: string[] = []
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql }: CompiledQuery): Promise<QueryResult<Row>> {
      statements.push(sql)
      // No statement is run, so no row can have the right shape: this one has every field.
      return { rows: [MADE_UP_ROW as Row], numAffectedRows: 1n }
    },
    async *streamQuery() {
      yield* []
    },
  }
  class RecordingDriver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return connection
    }
  }
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RecordingDriver(),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return {
    db,
    takeStatements() {
      const taken = statements
      statements = []
      return taken
    },
  }
}

/** Large enough that code which asks for more when there is much takes that way, so that those statements show as well. */
const MUCH = 1_000_000
const MADE_UP: Record<string | symbol, unknown> = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': 1 } }], ids: ['identifier'] }
const MADE_UP_ROW: object = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : (MADE_UP[name] ?? MUCH)) })
