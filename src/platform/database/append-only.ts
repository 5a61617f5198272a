import { AliasNode, type KyselyPlugin, ListNode, type OperationNode, RawNode, type RootOperationNode, TableNode } from 'kysely'
import { APPEND_ONLY_TABLES } from './schema.ts'

/** A statement would have changed rows that never change. A bug of the caller, not a refusal: it leaves the API as `internal_error`. */
export class AppendOnlyError extends Error {
  override readonly name: string = 'AppendOnlyError'
  readonly table: string
  readonly operation: ChangeWord

  constructor(operation: ChangeWord, table: string) {
    super(`${table} is append-only: ${operation} is refused before it reaches the database.`)
    this.table = table
    this.operation = operation
  }
}
export type ChangeWord = 'UPDATE' | 'DELETE' | 'MERGE' | 'ON CONFLICT DO UPDATE'

/** Refuses every built statement that would change a row of these tables, while it is compiled: no connection is taken for it. */
export function appendOnlyPlugin(tables: readonly string[] = APPEND_ONLY_TABLES): KyselyPlugin {
  const guarded = new Set(tables)
  return {
    transformQuery({ node }): RootOperationNode {
      refuseChanges(node, guarded)
      return node
    },
    async transformResult({ result }) {
      return result
    },
  }
}

/**
 * Looks at the statement itself, at its WITH parts, and at statements inside raw text: nowhere else does PostgreSQL allow a change.
 * A change that is raw text altogether is not seen here; the triggers refuse it.
 * @throws AppendOnlyError
 */
function refuseChanges(node: OperationNode, guarded: ReadonlySet<string>): void {
  for (const { operation, target } of changesOf(node as RootOperationNode)) {
    const table = tableNameOf(target)
    if (table !== undefined && guarded.has(table)) throw new AppendOnlyError(operation, table)
  }
  for (const part of partsOf(node as RootOperationNode)) refuseChanges(part, guarded)
}

function changesOf(node: RootOperationNode): { operation: ChangeWord; target: OperationNode }[] {
  switch (node.kind) {
    case 'UpdateQueryNode':
      return targetsOf(node.table).map((target) => ({ operation: 'UPDATE', target }))
    case 'DeleteQueryNode':
      return node.from.froms.flatMap(targetsOf).map((target) => ({ operation: 'DELETE', target }))
    case 'MergeQueryNode':
      return [{ operation: 'MERGE', target: node.into }]
    case 'InsertQueryNode':
      return node.into !== undefined && node.onConflict?.updates !== undefined
        ? [{ operation: 'ON CONFLICT DO UPDATE', target: node.into }]
        : []
    default:
      return []
  }
}

function partsOf(node: RootOperationNode): readonly OperationNode[] {
  const withs = 'with' in node && node.with !== undefined ? node.with.expressions.map(({ expression }) => expression) : []
  return node.kind === 'RawNode' ? node.parameters : withs
}

function targetsOf(node: OperationNode | undefined): readonly OperationNode[] {
  if (node === undefined) return []
  return ListNode.is(node) ? node.items : [node]
}

function tableNameOf(node: OperationNode): string | undefined {
  if (AliasNode.is(node)) return tableNameOf(node.node)
  if (TableNode.is(node)) return node.table.identifier.name
  // `sql.table('name')` is raw text around a table.
  const [part] = RawNode.is(node) ? node.parameters : []
  return part === undefined ? undefined : tableNameOf(part)
}
