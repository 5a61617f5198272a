import { Button } from '@mantine/core'
import { IconArrowsSort, IconFilterOff, IconPlus, IconRss } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Source, sourcesQuery, useChangeFeed } from '../../api/feeds.ts'
import { toProblem } from '../../api/problem.ts'
import { useCan } from '../../shell/use-can.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ButtonKey } from '../../ui/button-key.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { sourceColumns } from './source-columns.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { SourceDrawer } from './source-drawer.tsx'
import { countStates } from './source-state.ts'
import { isFiltered, NO_FILTERS, parseSourcesSearch, type SourcesSearch, sortOf, sortParam } from './sources.search.ts'
import { sourcesText } from './sources.text.ts'
import { SourcesFilters } from './sources-filters.tsx'
import { SourcesTabs } from './sources-tabs.tsx'
import { useChangedSources } from './use-changed-sources.ts'
import { useCollections, useSettle } from './use-collections.ts'
import { useRowPlaces } from './use-row-places.ts'

/** Every feed with its health, renewed by itself; one opens beside the list. */
export function SourcesScreen() {
  const [search, change] = useSearchState(parseSourcesSearch)
  const collections = useCollections()
  const { data: sources, error, refetch } = useQuery(sourcesQuery({ hurry: collections.awaited.size > 0 }))
  useSettle(sources, collections.settle)
  const can = useCan()
  const onSwitch = useSwitch()
  const { by, down } = sortOf(search)
  const { rows, sortAgain } = useRowPlaces(sources, search, { by, down })
  const { changed, announcement } = useChangedSources(sources)
  const addReason = can('feed.add')
  const open = sources?.find(({ id }) => id === search.open)
  const problem = error === null ? undefined : toProblem(error)
  const whenAllowed = (reason: true | string, act: () => void) => {
    if (reason === true) act()
    else notifyDone(reason)
  }
  const add = () => whenAllowed(addReason, () => change({ dialog: 'add' }))
  const edit = (source: Source) => whenAllowed(can('feed.edit'), () => change({ open: source.id, dialog: 'edit' }))
  const collect = (source: Source) =>
    whenAllowed(can('feed.run'), () => {
      collections.collect(source)
      notifyDone(sourcesText.collected.begun(source.name))
    })
  usePageKeys({ n: add })
  const closeDialog = () => change({ dialog: undefined })
  const columns = sourceColumns({ isAwaited: (id) => collections.awaited.has(id), switchReason: can('feed.edit'), onSwitch })
  const addButton = (
    <ReasonButton disabledReason={addReason} leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
      {sourcesText.add}
      <ButtonKey keys="n" />
    </ReasonButton>
  )

  return (
    <>
      <PageHeader
        title={sourcesText.title}
        aside={sources === undefined || sources.length === 0 ? undefined : sourcesText.summary(countStates(sources))}
        actions={sources?.length === 0 ? undefined : addButton}
      />
      <SourcesTabs />
      {sources?.length !== 0 && (
        <SourcesFilters
          search={search}
          types={[...new Set((sources ?? []).map(({ feed_type }) => feed_type))].toSorted()}
          onChange={change}
          end={<ListState search={search} shown={rows?.length} total={sources?.length} sortAgain={sortAgain} />}
        />
      )}
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <DataTable
        label={sourcesText.title}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        sort={{ column: by, direction: down ? 'desc' : 'asc' }}
        onSort={(sort) => change({ sort: sortParam(sort) })}
        openId={search.open}
        onOpen={({ id }) => change({ open: id })}
        copyText={({ url }) => url}
        rowKeys={{ e: edit, r: collect }}
        isMuted={({ is_active }) => !is_active}
        isFresh={({ id }) => changed.has(id)}
        problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
        empty={<SourcesEmpty search={search} addButton={addButton} onClear={() => change(NO_FILTERS)} />}
      />
      <p role="status" className="svc-unseen">
        {announcement}
      </p>
      <SourceDrawer
        openId={search.open}
        source={open}
        loaded={sources !== undefined}
        busy={search.dialog !== undefined}
        isAwaited={search.open !== undefined && collections.awaited.has(search.open)}
        onClose={() => change({ open: undefined })}
        onStep={stepsThrough(rows?.map(({ id }) => id) ?? [], search.open, (id) => change({ open: id }, { replace: true }))}
        onCollect={(source, options) => collections.collect(source, options)}
        onSwitch={onSwitch}
        onEdit={edit}
        onDelete={() => change({ dialog: 'delete' })}
      />
      <SourceDialog
        mode={dialogMode(search, open, can)}
        onClose={closeDialog}
        onAdded={(feed) => {
          if (feed.is_active) collections.collect(feed)
          closeDialog()
          focusRow(feed.id)
        }}
      />
      <DeleteDialog
        source={search.dialog === 'delete' && can('feed.delete') === true ? open : undefined}
        onClose={closeDialog}
        onDeleted={() => change({ dialog: undefined, open: undefined })}
      />
    </>
  )
}

type ListStateProps = { search: SourcesSearch; shown: number | undefined; total: number | undefined; sortAgain: (() => void) | undefined }

/** How much of the list is shown, and that some rows have changed their place in the order since it was made. */
function ListState({ search, shown, total, sortAgain }: ListStateProps) {
  return (
    <>
      {sortAgain !== undefined && (
        <Button
          variant="subtle"
          leftSection={<IconArrowsSort size={14} aria-hidden />}
          title={sourcesText.sortAgainHint}
          onClick={sortAgain}
        >
          {sourcesText.sortAgain}
        </Button>
      )}
      {isFiltered(search) && shown !== undefined && total !== undefined && sourcesText.shown(shown, total)}
    </>
  )
}

function SourcesEmpty({ search, addButton, onClear }: { search: SourcesSearch; addButton: ReactNode; onClear: () => void }) {
  const text = sourcesText.empty
  if (isFiltered(search))
    return (
      <EmptyState
        icon={<IconFilterOff size={20} aria-hidden />}
        title={text.noMatch}
        description={text.noMatchNext}
        actions={
          <Button variant="default" onClick={onClear}>
            {text.clear}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={<IconRss size={20} aria-hidden />}
      title={text.nothing}
      description={text.nothingNext}
      command={text.command}
      actions={addButton}
    />
  )
}

/** Switches a source on or off and says so; its values stay either way. */
function useSwitch(): (source: Source, active: boolean) => void {
  const { mutate } = useChangeFeed()
  return ({ id, name, version }, active) =>
    mutate(
      { id, patch: { version, is_active: active } },
      {
        onSuccess: () => notifyDone(active ? sourcesText.switchedOn(name) : sourcesText.switchedOff(name)),
        onError: (error) => notifyProblem(toProblem(error)),
      },
    )
}

/** What the form is for: nothing while the dialog is closed, or while the reader may not use it. */
function dialogMode({ dialog }: SourcesSearch, open: Source | undefined, can: ReturnType<typeof useCan>): 'add' | Source | undefined {
  if (dialog === 'add') return can('feed.add') === true ? 'add' : undefined
  return dialog === 'edit' && can('feed.edit') === true ? open : undefined
}

/** How long a closing dialog keeps hold of the focus, ms. Assumption: its transition of 120 ms and a margin. */
const DIALOG_CLOSE_MS = 250

function focusRow(id: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)?.focus(), DIALOG_CLOSE_MS)
}
