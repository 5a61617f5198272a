import { NativeSelect } from '@mantine/core'
import { ChoiceFilter } from '../../ui/choice-filter.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
import { type CvesSearch, isFiltered, NO_FILTERS, PRIORITIES } from './cves.search.ts'
import { cvesText } from './cves.text.ts'

const text = cvesText.filters
const PRIORITY_WORDS = { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3' } as const

/** Every filter of the CVE list; each change starts again at the first page. */
export function CvesFilters({ search, onChange }: { search: CvesSearch; onChange: (change: CvesSearch) => void }) {
  const set = (change: CvesSearch) => onChange({ cursor: undefined, ...change })
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_FILTERS) : undefined}>
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
      <YesNoFilter label={text.kev} words={text.kevs} value={search.kev} onChange={(kev) => set({ kev })} />
      <YesNoFilter label={text.exploit} words={text.exploits} value={search.exploit} onChange={(exploit) => set({ exploit })} />
    </FilterBar>
  )
}

type Answer = 'yes' | 'no' | undefined
type YesNoFilterProps = {
  label: string
  words: { any: string; yes: string; no: string }
  value: Answer
  onChange: (value: Answer) => void
}

function YesNoFilter({ label, words, value, onChange }: YesNoFilterProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? 'any'}
      data={(['any', 'yes', 'no'] as const).map((answer) => ({ value: answer, label: words[answer] }))}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === 'yes' || currentTarget.value === 'no' ? currentTarget.value : undefined)
      }
    />
  )
}
