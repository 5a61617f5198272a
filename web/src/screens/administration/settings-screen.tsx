import { Button, NativeSelect } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { type Setting, settingsQuery } from '../../api/settings.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
import classes from './administration.module.css'
import { administrationText, settingsText as text } from './administration.text.ts'
import { AdministrationFrame } from './administration-frame.tsx'
import { filterSettings, NO_SETTING_FILTERS, parseSettingsSearch } from './settings.search.ts'

const SHOWS = ['secret', 'set', 'unset'] as const

const COLUMNS: readonly DataColumn<Setting>[] = [
  {
    id: 'setting',
    header: text.columns.setting,
    width: '290px',
    lead: true,
    wrap: true,
    cell: (row) => <b className="svc-mono">{row.setting}</b>,
  },
  { id: 'value', header: text.columns.value, wrap: true, cell: (row) => <Value setting={row} /> },
  {
    id: 'about',
    header: text.columns.about,
    wrap: true,
    drop: 1,
    cell: (row) => <About text={row.about} />,
  },
]

/** The settings in effect; of secrets only whether they are set. */
export function SettingsScreen() {
  return (
    <AdministrationFrame tab={administrationText.tabs.settings}>
      <Settings />
    </AdministrationFrame>
  )
}

function Settings() {
  const [search, change] = useSearchState(parseSettingsSearch)
  const { data: settings, error, refetch } = useQuery(settingsQuery)
  const problem = error === null ? undefined : toProblem(error)
  const rows = settings === undefined ? undefined : filterSettings(settings, search)
  const isFiltered = search.q !== undefined || search.show !== undefined
  const clear = () => change(NO_SETTING_FILTERS)
  const words = text.filters
  return (
    <>
      <p className={classes['intro']}>{text.intro}</p>
      <FilterBar
        onClear={isFiltered ? clear : undefined}
        end={
          <span aria-live="polite">
            {settings !== undefined &&
              rows !== undefined &&
              (isFiltered ? text.shown(rows.length, settings.length) : text.total(settings.length))}
          </span>
        }
      >
        <TextFilter
          main
          live
          label={words.text}
          clearLabel={words.clearText}
          value={search.q ?? ''}
          onChange={(q) => change({ q }, { replace: true })}
        />
        <NativeSelect
          size="xs"
          aria-label={words.show}
          value={search.show ?? 'all'}
          data={[{ value: 'all', label: words.shows.all }, ...SHOWS.map((show) => ({ value: show as string, label: words.shows[show] }))]}
          onChange={({ currentTarget: { value } }) => change({ show: SHOWS.find((show) => show === value) })}
        />
      </FilterBar>
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={rows}
        rowId={({ setting }) => setting}
        rowLabel={({ setting }) => setting}
        copyText={({ setting }) => setting}
        problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
        empty={
          <EmptyState
            icon={<IconFilterOff size={20} aria-hidden />}
            title={text.noMatch}
            description={administrationText.noMatchNext}
            actions={
              <Button variant="default" onClick={clear}>
                {administrationText.clear}
              </Button>
            }
          />
        }
      />
    </>
  )
}

function Value({ setting: { secret, present, value } }: { setting: Setting }) {
  if (secret) return <StateWord state={present ? 'ok' : 'off'} word={present ? text.present : text.absent} />
  if (value === null) return <span className="svc-dim">{text.unset}</span>
  return <span className="svc-mono">{value}</span>
}

/** What stands between backticks is a command or a value. */
function About({ text: words }: { text: string }) {
  return (
    <span className="svc-dim">
      {words.split('`').map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed sentence never move
          <code key={index} className="svc-mono">
            {part}
          </code>
        ),
      )}
    </span>
  )
}
