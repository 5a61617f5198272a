import type { ReactNode } from 'react'

export type SortState = { column: string; direction: 'asc' | 'desc' }

export type DataColumn<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** CSS width of the column, such as `120px`; a column without one shares what is left. */
  width?: string | undefined
  align?: 'start' | 'end' | undefined
  /** The direction of the first press on the header; absent means not sortable. */
  sortFirst?: 'asc' | 'desc' | undefined
  /** Left out when the table is wider than its place: 1 goes first. A column without an order stays. */
  drop?: number | undefined
  /** What a reader can do without: left out of stacked rows as well. */
  wideOnly?: boolean | undefined
  /** Long text that wraps instead of being cut. */
  wrap?: boolean | undefined
  /** On a narrow screen it stands on a line of its own, without its header. */
  lead?: boolean | undefined
}

export type DataTableProps<Row> = {
  /** Names the grid for screen readers, and its remembered position. */
  label: string
  columns: readonly DataColumn<Row>[]
  /** undefined while nothing has been loaded yet: draws a skeleton. Keep the old rows while reloading. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** Names one row, for its checkbox. */
  rowLabel: (row: Row) => string
  /** Rows over all pages, -1 when unknown. */
  total?: number | undefined
  /** Index of the first row over all pages, from 0. */
  firstIndex?: number | undefined
  /** One column, or several of which each orders what those before it leave equal. */
  sort?: SortState | readonly SortState[] | undefined
  /** @param add Shift was held: the column comes to those before it */
  onSort?: ((sort: SortState, add: boolean) => void) | undefined
  selected?: ReadonlySet<string> | undefined
  onSelect?: ((ids: ReadonlySet<string>) => void) | undefined
  /** The row whose drawer is open. */
  openId?: string | undefined
  /** The cursor came to the row. */
  onCursor?: ((row: Row) => void) | undefined
  /** Enter or a click on the row. */
  onOpen?: ((row: Row) => void) | undefined
  /** `o`: the full page of the row. */
  onOpenPage?: ((row: Row) => void) | undefined
  /** `c`: what is put on the clipboard. `defanged` is true for `Shift+c`. */
  copyText?: ((row: Row, defanged: boolean) => string) | undefined
  /** `[` and `]`. */
  onPage?: ((by: 1 | -1) => void) | undefined
  /** Other single keys of this screen, such as `e`, with the row under the cursor. */
  rowKeys?: Readonly<Record<string, (row: Row) => void>> | undefined
  /** Shown instead of rows when loading failed and there is nothing older to show. */
  problem?: ReactNode | undefined
  /** Shown when there are no rows: nothing yet, no match, or not your role. */
  empty?: ReactNode | undefined
  /** Thin moving line at the top: new rows are on their way. */
  refreshing?: boolean | undefined
  skeletonRows?: number | undefined
  /** Dims a row, for instance an inactive one. */
  isMuted?: ((row: Row) => boolean) | undefined
  /** Marks a row that has just changed by itself. */
  isFresh?: ((row: Row) => boolean) | undefined
  /** Marks a row that must not be overlooked. */
  isAlarming?: ((row: Row) => boolean) | undefined
}
