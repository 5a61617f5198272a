import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import classes from './data-table.module.css'
import type { DataColumn, DataTableProps, SortState } from './data-table.types.ts'
import { uiText } from './ui.text.ts'

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** Header row of a DataTable: sort buttons, and the box that selects the whole page. */
export function DataTableHead<Row>(props: DataTableProps<Row>) {
  const { columns, onSelect, onSort } = props
  const sorts = sortsOf(props.sort)
  return (
    <thead>
      <tr aria-rowindex={1}>
        {onSelect !== undefined && (
          <th scope="col" className={classes['check']}>
            <SelectAll {...props} onSelect={onSelect} />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            data-align={column.align}
            style={column.width === undefined ? {} : { width: column.width }}
            {...(sorts[0]?.column === column.id ? { 'aria-sort': ARIA_SORT[sorts[0].direction] } : {})}
          >
            {column.sortFirst === undefined || onSort === undefined ? (
              column.header
            ) : (
              <SortButton column={column} sorts={sorts} onSort={onSort} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function sortsOf(sort: SortState | readonly SortState[] | undefined): readonly SortState[] {
  if (sort === undefined) return []
  return 'column' in sort ? [sort] : sort
}

type SortButtonProps<Row> = {
  column: DataColumn<Row>
  sorts: readonly SortState[]
  onSort: NonNullable<DataTableProps<Row>['onSort']>
}

function SortButton<Row>({ column, sorts, onSort }: SortButtonProps<Row>) {
  const place = sorts.findIndex((sort) => sort.column === column.id)
  const active = sorts[place]?.direction
  const Icon = { asc: IconArrowUp, desc: IconArrowDown, none: IconArrowsSort }[active ?? 'none']
  const next = active === undefined ? (column.sortFirst ?? 'asc') : active === 'asc' ? 'desc' : 'asc'
  return (
    <button
      type="button"
      className={classes['sort']}
      data-active={active !== undefined || undefined}
      onClick={({ shiftKey }) => onSort({ column: column.id, direction: next }, shiftKey)}
    >
      {column.header}
      <Icon size={12} aria-hidden />
      {sorts.length > 1 && place >= 0 && <span aria-hidden>{place + 1}</span>}
    </button>
  )
}

function SelectAll<Row>({
  rows = [],
  rowId,
  selected = new Set<string>(),
  onSelect,
}: DataTableProps<Row> & { onSelect: (ids: ReadonlySet<string>) => void }) {
  const ids = rows.map(rowId)
  const count = ids.filter((id) => selected.has(id)).length
  const all = count === ids.length
  // A box that does nothing would need a reason; without rows there is nothing to select.
  if (ids.length === 0) return null
  return (
    <label className={classes['hit']}>
      <input
        type="checkbox"
        aria-label={uiText.table.selectAll}
        checked={all}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !all
        }}
        onChange={() => onSelect(all ? new Set([...selected].filter((id) => !ids.includes(id))) : new Set([...selected, ...ids]))}
      />
    </label>
  )
}
