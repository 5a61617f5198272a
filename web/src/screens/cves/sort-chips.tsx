import { NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import classes from './cves.module.css'
import { type CvesSearch, MAX_SORTS, SORTS, type SortColumn, sortsOf, withoutSort, withSort } from './cves.search.ts'
import { cvesText } from './cves.text.ts'

const text = cvesText.sort
const COLUMNS = Object.keys(SORTS) as SortColumn[]

/** The order of the list, column by column: each can be turned round and taken away, and another can come behind them. */
export function SortChips({ search, onChange }: { search: CvesSearch; onChange: (change: CvesSearch) => void }) {
  const sorts = sortsOf(search)
  // What the reader has not asked for gives way to what is asked.
  const isAsked = search.sort !== undefined
  const more = isAsked ? text.next : text.first
  const rest = COLUMNS.filter((column) => sorts.every((sort) => sort.column !== column))
  return (
    <>
      <span id="sorted-by">{text.label}</span>
      <ol aria-labelledby="sorted-by" className={classes['sorts']}>
        {sorts.map(({ column, direction }) => {
          const name = nameOf(column)
          const Icon = direction === 'asc' ? IconArrowUp : IconArrowDown
          return (
            <li key={column} className={classes['sort']}>
              <button
                type="button"
                aria-label={text.turn(name, direction)}
                title={text.turn(name, direction)}
                onClick={() => onChange({ sort: withSort(search, { column, direction: direction === 'asc' ? 'desc' : 'asc' }, true) })}
              >
                {name}
                <Icon size={12} aria-hidden />
              </button>
              {isAsked && (
                <button
                  type="button"
                  aria-label={text.remove(name)}
                  title={text.remove(name)}
                  onClick={() => onChange({ sort: withoutSort(search, column) })}
                >
                  <IconX size={12} aria-hidden />
                </button>
              )}
            </li>
          )
        })}
      </ol>
      {sorts.length < MAX_SORTS && (
        <NativeSelect
          size="xs"
          aria-label={more}
          value=""
          data={[{ value: '', label: more }, ...rest.map((column) => ({ value: column, label: nameOf(column) }))]}
          onChange={({ currentTarget }) => {
            const column = rest.find((candidate) => candidate === currentTarget.value)
            if (column !== undefined) onChange({ sort: withSort(search, { column, direction: SORTS[column] }, isAsked) })
          }}
        />
      )}
    </>
  )
}

function nameOf(column: string): string {
  const known = COLUMNS.find((candidate) => candidate === column)
  return known === undefined ? column : text.columns[known]
}
