import { Button } from '@mantine/core'
import { IconBug, IconFilterOff, IconQuestionMark, IconSearch } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type CvesSearch, isFiltered } from './cves.search.ts'
import { cvesText } from './cves.text.ts'

const text = cvesText.empty
const WHOLE_ID = /^cve-\d{4}-\d{4,19}$/i

export type CvesEmptyProps = {
  search: CvesSearch
  onClear: () => void
  /** The way to the next page: a search for frequent words looks at a part of the list at a time. */
  onOlder: (() => void) | undefined
}

/** Why the list is empty, and the next step. */
export function CvesEmpty({ search, onClear, onOlder }: CvesEmptyProps) {
  if (!isFiltered(search))
    return (
      <EmptyState icon={<IconBug size={20} aria-hidden />} title={text.nothing} description={text.nothingNext} command={text.command} />
    )
  if (onOlder !== undefined)
    return (
      <EmptyState
        icon={<IconSearch size={20} aria-hidden />}
        title={text.notYet}
        description={text.notYetNext}
        actions={
          <Button variant="default" onClick={onOlder}>
            {text.lookOn}
          </Button>
        }
      />
    )
  const isUnknown = search.q !== undefined && WHOLE_ID.test(search.q) && !isFiltered({ ...search, q: undefined })
  return (
    <EmptyState
      icon={isUnknown ? <IconQuestionMark size={20} aria-hidden /> : <IconFilterOff size={20} aria-hidden />}
      title={isUnknown ? text.unknown(search.q?.toUpperCase() ?? '') : text.noMatch}
      description={isUnknown ? text.unknownNext : text.noMatchNext}
      actions={
        <Button variant="default" onClick={onClear}>
          {text.clear}
        </Button>
      }
    />
  )
}
