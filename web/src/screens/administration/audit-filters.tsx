import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
import { auditText } from './administration.text.ts'
import { type AuditSearch, isFiltered, NO_AUDIT_FILTERS, OUTCOMES, SINCE_HOURS } from './audit.search.ts'

const text = auditText.filters
const ACTIONS_ID = 'audit-actions'
/** Beginnings that are worth a proposal. Source: actions in src/domains/audit/audit.model.ts. */
const ACTION_BEGINNINGS = ['auth.', 'auth.login', 'auth.refresh', 'authz.denied', 'user.', 'feed.', 'indicators.']

export type AuditFiltersProps = {
  search: AuditSearch
  onChange: (change: AuditSearch) => void
  /** At the right: how many events there are. */
  children: ReactNode
}

/** Every filter of the journal; each change starts again at the first page. */
export function AuditFilters({ search, onChange, children }: AuditFiltersProps) {
  const set = (change: AuditSearch) => onChange({ cursor: undefined, ...change })
  const { since } = search
  const hours: readonly number[] =
    since === undefined || SINCE_HOURS.some((offered) => offered === since) ? SINCE_HOURS : [...SINCE_HOURS, since]
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_AUDIT_FILTERS) : undefined} end={children}>
      <TextFilter
        main
        list={ACTIONS_ID}
        label={text.action}
        placeholder={text.actionHint}
        clearLabel={text.clear(text.action)}
        value={search.action ?? ''}
        onChange={(action) => set({ action })}
      />
      <datalist id={ACTIONS_ID}>
        {ACTION_BEGINNINGS.map((beginning) => (
          <option key={beginning} value={beginning} />
        ))}
      </datalist>
      <NativeSelect
        size="xs"
        aria-label={text.outcome}
        value={search.outcome ?? ''}
        data={[
          { value: '', label: text.anyOutcome },
          ...OUTCOMES.map((outcome) => ({ value: outcome as string, label: auditText.outcome[outcome] })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ outcome: OUTCOMES.find((outcome) => outcome === value) })}
      />
      <NativeSelect
        size="xs"
        aria-label={text.since}
        value={String(since ?? '')}
        data={[{ value: '', label: text.sinceAny }, ...hours.map((value) => ({ value: String(value), label: text.sinceHours(value) }))]}
        onChange={({ currentTarget: { value } }) => set({ since: value === '' ? undefined : Number(value) })}
      />
      <TextFilter
        label={text.actor}
        placeholder={text.actorHint}
        clearLabel={text.clear(text.actor)}
        value={search.actor ?? ''}
        onChange={(actor) => set({ actor })}
      />
      <TextFilter
        mono
        label={text.request}
        clearLabel={text.clear(text.request)}
        value={search.request_id ?? ''}
        onChange={(request_id) => set({ request_id })}
      />
    </FilterBar>
  )
}
