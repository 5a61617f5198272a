import { Button, Popover } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { ChoiceFilter } from '../../ui/choice-filter.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { OneOfFilter } from '../../ui/one-of-filter.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
import classes from './cves.module.css'
import {
  ALERT_CHOICES,
  CVSS_CHOICES,
  type CvesSearch,
  countFurther,
  DAYS_CHOICES,
  DUE_CHOICES,
  EPSS_CHOICES,
  isFiltered,
  KEV_CHOICES,
  NO_FILTERS,
  PRIORITIES,
  STATUSES,
} from './cves.search.ts'
import { cvesText } from './cves.text.ts'
import { SortChips } from './sort-chips.tsx'

const text = cvesText.filters
const PRIORITY_WORDS = { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3' } as const
const STATUS_WORDS = Object.fromEntries(STATUSES.map((status) => [status, status])) as Record<(typeof STATUSES)[number], string>

type FiltersProps = { search: CvesSearch; onChange: (change: CvesSearch) => void }

/** Every filter of the CVE list, and its order; each change starts again at the first page. */
export function CvesFilters({ search, onChange }: FiltersProps) {
  const set = (change: CvesSearch) => onChange({ cursor: undefined, ...change })
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_FILTERS) : undefined} end={<SortChips search={search} onChange={set} />}>
      <TextFilter
        main
        label={text.q}
        placeholder={text.qHint}
        clearLabel={text.clearQ}
        value={search.q ?? ''}
        onChange={(q) => set({ q })}
      />
      <ChoiceFilter
        label={text.priority}
        choices={PRIORITIES}
        words={PRIORITY_WORDS}
        chosen={search.priority}
        onChange={(priority) => set({ priority })}
      />
      <OneOfFilter label={text.kev} choices={KEV_CHOICES} words={text.kevs} value={search.kev} onChange={(kev) => set({ kev })} />
      <OneOfFilter
        label={text.exploit}
        choices={['yes', 'no']}
        words={text.exploits}
        value={search.exploit}
        onChange={(exploit) => set({ exploit })}
      />
      <FurtherFilters search={search} onChange={set} />
    </FilterBar>
  )
}

/** Filters that are set now and then, behind one button that says how many are. */
function FurtherFilters({ search, onChange }: FiltersProps) {
  const set = countFurther(search)
  return (
    <Popover position="bottom-start" trapFocus shadow="md" width={300}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
          fw={set === 0 ? 400 : 600}
          {...(set === 0 ? {} : { bd: '1px solid var(--svc-accent)' })}
        >
          {text.more(set)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.more(0)} className={classes['further'] ?? ''}>
        <Named label={text.product}>
          <TextFilter
            label={text.product}
            placeholder={text.productHint}
            clearLabel={text.clearProduct}
            value={search.product ?? ''}
            onChange={(product) => onChange({ product })}
          />
        </Named>
        <Named label={text.vendor}>
          <TextFilter
            label={text.vendor}
            placeholder={text.vendorHint}
            clearLabel={text.clearVendor}
            value={search.vendor ?? ''}
            onChange={(vendor) => onChange({ vendor })}
          />
        </Named>
        <Named label={text.epss}>
          <OneOfFilter
            label={text.epss}
            choices={EPSS_CHOICES}
            words={text.epsses}
            value={search.epss}
            onChange={(epss) => onChange({ epss })}
          />
        </Named>
        <Named label={text.cvss}>
          <OneOfFilter
            label={text.cvss}
            choices={CVSS_CHOICES}
            words={text.cvsses}
            value={search.cvss}
            onChange={(cvss) => onChange({ cvss })}
          />
        </Named>
        <Named label={text.published}>
          <OneOfFilter
            label={text.published}
            choices={DAYS_CHOICES}
            words={text.since}
            value={search.published}
            onChange={(published) => onChange({ published })}
          />
        </Named>
        <Named label={text.modified}>
          <OneOfFilter
            label={text.modified}
            choices={DAYS_CHOICES}
            words={text.since}
            value={search.modified}
            onChange={(modified) => onChange({ modified })}
          />
        </Named>
        <Named label={text.due}>
          <OneOfFilter label={text.due} choices={DUE_CHOICES} words={text.dues} value={search.due} onChange={(due) => onChange({ due })} />
        </Named>
        <Named label={text.alert}>
          <OneOfFilter
            label={text.alert}
            choices={ALERT_CHOICES}
            words={text.alerts}
            value={search.alert}
            onChange={(alert) => onChange({ alert })}
          />
        </Named>
        <Named label={text.statusShort}>
          <ChoiceFilter
            nested
            label={text.status}
            choices={STATUSES}
            words={STATUS_WORDS}
            chosen={search.status}
            onChange={(status) => onChange({ status })}
          />
        </Named>
      </Popover.Dropdown>
    </Popover>
  )
}

function Named({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={classes['furtherRow']}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  )
}
