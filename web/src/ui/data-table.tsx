import { type MouseEvent, type ReactNode, useRef } from 'react'
import classes from './data-table.module.css'
import type { DataTableProps } from './data-table.types.ts'
import { DataTableHead } from './data-table-head.tsx'
import { toggled } from './row-selection.ts'
import { tableMinWidth, useVisibleColumns } from './table-columns.ts'
import { uiText } from './ui.text.ts'
import { useGrid } from './use-grid.ts'
import { useOverflow } from './use-overflow.ts'

/** Rows drawn while the first answer is awaited. Assumption: fills a laptop screen without a scroll bar. */
const SKELETON_ROWS = 12

// Said aloud, because a row that is laid out as a block on a narrow screen loses the roles of its element.
const ROW_ROLE = { role: 'row' } as const
const CELL_ROLE = { role: 'gridcell' } as const

/**
 * A dense list as an ARIA grid: arrows or j/k move, Enter opens, x selects, / goes to the filter, c copies, Esc comes back.
 *
 * Cells should hold native elements: 50 rows of component-library controls make the page three times slower.
 */
export function DataTable<Row>(given: DataTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const columns = useVisibleColumns(given.columns, box, given.onSelect !== undefined)
  const props = { ...given, columns }
  const { label, rows, problem, empty, refreshing = false, firstIndex = 0, skeletonRows = SKELETON_ROWS } = props
  const grid = useGrid(props)
  useOverflow(box)
  const columnCount = columns.length + (props.onSelect === undefined ? 0 : 1)
  const total = props.total ?? rows?.length ?? -1
  const instead = insteadOfRows(rows, problem, empty)

  return (
    <div className={classes['box']} ref={box}>
      {refreshing && rows !== undefined && <div className={classes['progress']} role="progressbar" aria-label={uiText.table.refreshing} />}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a native table with the grid role keeps its semantics and gains the keys
        role="grid"
        className={classes['table']}
        style={tableMinWidth(columns, props.onSelect !== undefined)}
        aria-label={label}
        aria-rowcount={total < 0 ? -1 : total + 1}
        aria-colcount={columnCount}
        aria-busy={rows === undefined}
      >
        <DataTableHead {...props} />
        <tbody ref={grid.body} onKeyDown={grid.onKeyDown}>
          {rows === undefined && problem === undefined && <SkeletonRows rows={skeletonRows} cells={columnCount} />}
          {rows?.map((row, index) => (
            <DataRow
              key={props.rowId(row)}
              row={row}
              table={props}
              reachable={index === grid.cursor}
              rowIndex={firstIndex + index + 2}
              onFocus={() => {
                grid.moveTo(index)
                props.onCursor?.(row)
              }}
            />
          ))}
          {instead !== undefined && (
            <tr>
              <td colSpan={columnCount} className={classes['instead']}>
                {instead}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function insteadOfRows(rows: readonly unknown[] | undefined, problem: ReactNode, empty: ReactNode): ReactNode {
  if (rows === undefined) return problem
  return rows.length === 0 ? (problem ?? empty) : undefined
}

type DataRowProps<Row> = { row: Row; table: DataTableProps<Row>; reachable: boolean; rowIndex: number; onFocus: () => void }

function DataRow<Row>({ row, table, reachable, rowIndex, onFocus }: DataRowProps<Row>) {
  const id = table.rowId(row)
  const { onSelect, selected = new Set<string>(), onOpen } = table
  const onClick = (event: MouseEvent) => {
    if (onOpen === undefined || isControl(event.target) || hasSelectedText()) return
    onOpen(row)
  }
  return (
    <tr
      {...ROW_ROLE}
      className={classes['row']}
      tabIndex={reachable ? 0 : -1}
      data-row-id={id}
      data-open={table.openId === id || undefined}
      data-opens={onOpen !== undefined || undefined}
      data-alarming={table.isAlarming?.(row) === true || undefined}
      data-fresh={table.isFresh?.(row) === true || undefined}
      data-muted={table.isMuted?.(row) === true || undefined}
      aria-rowindex={rowIndex}
      {...(onSelect === undefined ? {} : { 'aria-selected': selected.has(id) })}
      onClick={onClick}
      onFocus={onFocus}
    >
      {onSelect !== undefined && (
        <td {...CELL_ROLE} className={classes['check']}>
          <label className={classes['hit']}>
            <input
              type="checkbox"
              checked={selected.has(id)}
              aria-label={uiText.table.select(table.rowLabel(row))}
              onChange={() => onSelect(toggled(selected, id))}
            />
          </label>
        </td>
      )}
      {table.columns.map((column) => (
        <td
          key={column.id}
          {...CELL_ROLE}
          data-align={column.align}
          data-lead={column.lead}
          data-wrap={column.wrap}
          data-label={column.header}
        >
          <div className={classes['cell']}>{column.cell(row)}</div>
        </td>
      ))}
    </tr>
  )
}

function SkeletonRows({ rows, cells }: { rows: number; cells: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
    <tr key={row} className={classes['skeleton']} aria-hidden>
      {Array.from({ length: cells }, (__, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
        <td key={cell}>
          <span className={classes['bar']} style={{ width: `${40 + ((row * 7 + cell * 13) % 45)}%` }} />
        </td>
      ))}
    </tr>
  ))
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, select') !== null
}

/** Marking text in a row must not open it. */
function hasSelectedText(): boolean {
  return (globalThis.getSelection()?.toString() ?? '') !== ''
}
