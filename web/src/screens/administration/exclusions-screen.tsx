import { Button, NativeSelect } from '@mantine/core'
import { IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Exclusion, exclusionPageQuery, removalPreviewQuery, useRemoveExclusion } from '../../api/exclusions.ts'
import { toProblem } from '../../api/problem.ts'
import { writeSearch } from '../../shell/search-schema.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { KeysetPager } from '../../ui/keyset-pager.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { usePaging } from '../../ui/use-paging.ts'
import classes from './administration.module.css'
import { administrationText, exclusionsText as text } from './administration.text.ts'
import { AdministrationFrame } from './administration-frame.tsx'
import {
  EXCLUSION_KINDS,
  EXCLUSION_STATES,
  isFiltered,
  NO_EXCLUSION_FILTERS,
  parseExclusionsSearch,
  toExclusionQuery,
} from './exclusions.search.ts'

/** What is excluded and why, newest first; an administrator takes it back. */
export function ExclusionsScreen() {
  return (
    <AdministrationFrame tab={administrationText.tabs.exclusions}>
      <Exclusions />
    </AdministrationFrame>
  )
}

function Exclusions() {
  const [search, change] = useSearchState(parseExclusionsSearch)
  const { data: page, error, isFetching, isPlaceholderData, refetch } = useQuery(exclusionPageQuery(toExclusionQuery(search)))
  const [removing, setRemoving] = useState<Exclusion>()
  const rows = page?.items
  const problem = error === null ? undefined : toProblem(error)
  const { cursor, ...filters } = search
  const paging = usePaging({
    list: `exclusions ${writeSearch(filters)}`,
    cursor,
    page,
    waiting: isPlaceholderData,
    onGo: (to) => change({ cursor: to }),
  })
  const clear = () => change(NO_EXCLUSION_FILTERS)
  return (
    <>
      <p className={classes['intro']}>{text.intro}</p>
      <FilterBar
        onClear={isFiltered(search) ? clear : undefined}
        end={<span aria-live="polite">{page !== undefined && text.total(page.total)}</span>}
      >
        <NativeSelect
          size="xs"
          aria-label={text.columns.kind}
          value={search.kind ?? ''}
          data={[{ value: '', label: text.anyKind }, ...EXCLUSION_KINDS.map((kind) => ({ value: kind as string, label: text.kind[kind] }))]}
          onChange={({ currentTarget: { value } }) => change({ cursor: undefined, kind: EXCLUSION_KINDS.find((kind) => kind === value) })}
        />
        <NativeSelect
          size="xs"
          aria-label={text.columns.state}
          value={search.state ?? ''}
          data={[
            { value: '', label: text.anyState },
            ...EXCLUSION_STATES.map((state) => ({ value: state as string, label: text.state[state] })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            change({ cursor: undefined, state: EXCLUSION_STATES.find((state) => state === value) })
          }
        />
      </FilterBar>
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ value }) => value}
        {...paging.table}
        openId={removing?.id}
        onOpen={setRemoving}
        copyText={({ value }) => value}
        isMuted={({ state }) => state === 'ENDED'}
        refreshing={isFetching}
        problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
        empty={<ExclusionsEmpty filtered={isFiltered(search)} onClear={clear} />}
      />
      {page !== undefined && <KeysetPager pager={paging.pager} total={text.total(page.total)} />}
      <RemovalDialog exclusion={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

const names = text.columns
const COLUMNS: readonly DataColumn<Exclusion>[] = [
  { id: 'value', header: names.value, lead: true, cell: (row) => <span className="svc-mono">{row.value}</span> },
  { id: 'kind', header: names.kind, width: '150px', drop: 3, cell: (row) => text.kind[row.kind] },
  { id: 'reason', header: names.reason, cell: (row) => <span title={row.reason}>{row.reason}</span> },
  { id: 'by', header: names.by, width: '110px', drop: 2, cell: (row) => <span title={row.created_by}>{row.created_by}</span> },
  { id: 'since', header: names.since, width: '96px', drop: 4, cell: (row) => <TimeText value={row.created_at} /> },
  {
    id: 'ends',
    header: names.ends,
    width: '96px',
    drop: 1,
    cell: (row) => (row.ends_at === null ? <span className="svc-dim">{text.never}</span> : <TimeText value={row.ends_at} />),
  },
  {
    id: 'state',
    header: names.state,
    width: '96px',
    cell: (row) => <StateWord state={row.state === 'ACTIVE' ? 'refused' : 'off'} word={text.state[row.state]} />,
  },
]

function ExclusionsEmpty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      icon={<IconShieldOff size={20} aria-hidden />}
      title={text.noMatch}
      description={administrationText.noMatchNext}
      actions={
        <Button variant="default" onClick={onClear}>
          {administrationText.clear}
        </Button>
      }
    />
  ) : (
    <EmptyState icon={<IconShieldOff size={20} aria-hidden />} title={text.nothing} description={text.nothingNext} command={text.command} />
  )
}

/** Says what comes back, and takes the exclusion back. */
function RemovalDialog({ exclusion, onClose }: { exclusion: Exclusion | undefined; onClose: () => void }) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef<Exclusion | undefined>(undefined)
  if (exclusion !== undefined) last.current = exclusion
  const shown = last.current
  const removal = useRemoveExclusion()
  const preview = useQuery({ ...removalPreviewQuery(shown?.id ?? ''), enabled: exclusion !== undefined })
  if (shown === undefined) return null
  const comeback = preview.data?.comeback
  const error = removal.error ?? preview.error
  const remove = () =>
    removal.mutate(shown.id, {
      onSuccess: (done) => {
        notifyDone(text.removed(shown.value, done.comeback.active))
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open={exclusion !== undefined}
      title={text.removal(shown.value)}
      confirmLabel={text.remove}
      danger
      busy={removal.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      <div className={classes['question']}>
        <p>{text.said(shown.created_by, shown.reason)}</p>
        <p role="status">{comeback === undefined ? text.working : text.comeback(comeback)}</p>
        {error !== null && <ProblemNotice problem={toProblem(error)} />}
      </div>
    </ConfirmDialog>
  )
}
