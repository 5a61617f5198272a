import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { STATES } from './source-state.ts'
import classes from './sources.module.css'
import { isFiltered, NO_FILTERS, type SourcesSearch } from './sources.search.ts'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.filters

export type SourcesFiltersProps = {
  search: SourcesSearch
  /** Feed types that are in use. */
  types: readonly string[]
  onChange: (change: SourcesSearch, options?: { replace?: boolean }) => void
  end: ReactNode
}

/** Every filter of the source list. */
export function SourcesFilters({ search, types, onChange, end }: SourcesFiltersProps) {
  const { status, active, type } = search
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_FILTERS) : undefined} end={end}>
      <TextFilter value={search.q ?? ''} onChange={(q) => onChange({ q: q.trim() === '' ? undefined : q }, { replace: true })} />
      <NativeSelect
        size="xs"
        aria-label={text.state}
        value={status?.join(',') ?? 'any'}
        data={[
          { value: 'any', label: text.states.any },
          ...STATES.map((state) => ({ value: state as string, label: sourcesText.state[state] })),
          // A link may name several states; the list of single ones could not show that.
          ...(status !== undefined && status.length > 1
            ? [{ value: status.join(','), label: status.map((state) => sourcesText.state[state]).join(', ') }]
            : []),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const chosen = STATES.filter((state) => value.split(',').includes(state))
          onChange({ status: chosen.length === 0 ? undefined : chosen })
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={text.active}
        value={active === undefined ? 'any' : String(active)}
        data={[
          { value: 'any', label: text.actives.any },
          { value: 'true', label: text.actives.true },
          { value: 'false', label: text.actives.false },
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ active: value === 'any' ? undefined : value === 'true' })}
      />
      <NativeSelect
        size="xs"
        aria-label={text.type}
        value={type ?? ''}
        data={[{ value: '', label: text.anyType }, ...new Set([...types, ...(type === undefined ? [] : [type])])]}
        onChange={({ currentTarget: { value } }) => onChange({ type: value === '' ? undefined : value })}
      />
    </FilterBar>
  )
}

/** Narrows the list while typing: all sources are here already. */
function TextFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Enter') document.querySelector<HTMLElement>('[role=grid] tbody tr[tabindex="0"]')?.focus()
  }
  return (
    <TextInput
      data-filter-box
      className={classes['textFilter'] ?? ''}
      aria-label={text.text}
      placeholder={text.text}
      spellCheck={false}
      autoComplete="off"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        value === '' ? null : (
          <ActionIcon size={22} aria-label={text.clearText} onClick={() => onChange('')}>
            <IconX size={13} aria-hidden />
          </ActionIcon>
        )
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
