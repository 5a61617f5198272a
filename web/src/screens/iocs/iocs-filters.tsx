import { ActionIcon, NativeSelect, Select, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { ANALYST_SOURCE_ID, feedNamesQuery } from '../../api/indicators.ts'
import { ChoiceFilter } from '../../ui/choice-filter.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './iocs.module.css'
import { type IocsSearch, isFiltered, NO_FILTERS, SEVERITIES, STATES, TYPES } from './iocs.search.ts'
import { iocsText, typeText } from './iocs.text.ts'

const text = iocsText.filters
const VALUE_NOTE_ID = 'iocs-value-note'

export type IocsFiltersProps = {
  search: IocsSearch
  onChange: (change: IocsSearch) => void
  /** The form in which the server searched, when it differs from what was typed. */
  searchedValue: string | null
  /** The server's refusal of the value, in its own words. */
  valueProblem: string | undefined
}

/** Every filter of the IOC list; each change starts again at the first page. */
export function IocsFilters({ search, onChange, searchedValue, valueProblem }: IocsFiltersProps) {
  const set = (change: IocsSearch) => onChange({ cursor: undefined, ...change })
  const clear = isFiltered(search) ? () => onChange(NO_FILTERS) : undefined
  return (
    <>
      <FilterBar onClear={clear}>
        <ValueFilter value={search.value} problem={valueProblem} onChange={(value) => set({ value })} />
        <ChoiceFilter label={text.type} choices={TYPES} words={typeText} chosen={search.type} onChange={(type) => set({ type })} />
        <ChoiceFilter
          label={text.severity}
          choices={SEVERITIES}
          words={uiText.severity}
          chosen={search.severity}
          onChange={(severity) => set({ severity })}
        />
        <NativeSelect
          size="xs"
          aria-label={text.confidence}
          value={search.confidence ?? 'any'}
          data={[
            { value: 'any', label: text.confidences.any },
            { value: 'medium', label: text.confidences.medium },
            { value: 'high', label: text.confidences.high },
          ]}
          onChange={({ currentTarget: { value } }) => set({ confidence: value === 'medium' || value === 'high' ? value : undefined })}
        />
        <FeedFilter feed={search.feed} onChange={(feed) => set({ feed })} />
        <NativeSelect
          size="xs"
          aria-label={text.state}
          value={search.state ?? 'any'}
          data={[
            { value: 'any', label: text.states.any },
            { value: 'active', label: text.states.active },
            { value: 'expired', label: text.states.expired },
            { value: 'excluded', label: text.states.excluded },
          ]}
          onChange={({ currentTarget: { value } }) => set({ state: STATES.find((state) => state === value) })}
        />
      </FilterBar>
      <ValueNote value={search.value} searchedValue={searchedValue} problem={valueProblem} />
    </>
  )
}

type ValueNoteProps = { value: string | undefined; searchedValue: string | null; problem: string | undefined }

/** On a line of its own below the filters, so that none of them moves when it comes. */
function ValueNote({ value, searchedValue, problem }: ValueNoteProps) {
  const normalized = searchedValue !== null && value !== undefined && searchedValue !== value
  return (
    <p id={VALUE_NOTE_ID} role="status" className={classes['valueNote']} data-problem={problem !== undefined || undefined}>
      {problem ?? (normalized ? text.searchedAs(searchedValue) : '')}
    </p>
  )
}

type ValueFilterProps = {
  value: string | undefined
  problem: string | undefined
  onChange: (value: string | undefined) => void
}

/** Searched on Enter or on leaving the box: half a value matches nothing. */
function ValueFilter({ value, problem, onChange }: ValueFilterProps) {
  const [typed, setTyped] = useState(value ?? '')
  useEffect(() => setTyped(value ?? ''), [value])
  const submit = () => {
    const next = typed.trim()
    if (next !== (value ?? '')) onChange(next === '' ? undefined : next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit()
    if (event.key === 'Escape') document.querySelector<HTMLElement>('[role=grid] tbody tr[tabindex="0"]')?.focus()
  }
  return (
    <TextInput
      data-filter-box
      className={classes['valueFilter'] ?? ''}
      aria-label={text.value}
      placeholder={text.valuePlaceholder}
      spellCheck={false}
      autoComplete="off"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <ActionIcon size={22} aria-label={text.clearValue} onClick={() => onChange(undefined)}>
            <IconX size={13} aria-hidden />
          </ActionIcon>
        )
      }
      value={typed}
      error={problem !== undefined}
      aria-describedby={VALUE_NOTE_ID}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={onKeyDown}
    />
  )
}

function FeedFilter({ feed, onChange }: { feed: string | undefined; onChange: (feed: string | undefined) => void }) {
  const { data: feeds = [] } = useQuery(feedNamesQuery)
  return (
    <Select
      className={classes['feedFilter'] ?? ''}
      aria-label={text.feed}
      placeholder={text.anyFeed}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.anyFeed, tabIndex: 0 }}
      nothingFoundMessage={text.noFeed}
      data={[{ value: ANALYST_SOURCE_ID, label: text.analysts }, ...feeds.map(({ id, name }) => ({ value: id, label: name }))]}
      value={feed ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}
