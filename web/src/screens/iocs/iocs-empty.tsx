import { Button } from '@mantine/core'
import { IconFilterOff, IconFingerprint, IconQuestionMark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lookupQuery } from '../../api/indicators.ts'
import { paths } from '../../shell/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './iocs.module.css'
import { type IocsSearch, isFiltered } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'

const text = iocsText.empty

export type IocsEmptyProps = {
  search: IocsSearch
  /** There are older pages that were not searched yet. */
  onOlder: (() => void) | undefined
  onClear: () => void
  submitReason: true | string
  onSubmit: (value: string) => void
}

/** Why the list is empty, and the next step. */
export function IocsEmpty({ search, onOlder, onClear, submitReason, onSubmit }: IocsEmptyProps) {
  if (onOlder !== undefined)
    return (
      <EmptyState
        icon={<IconFilterOff size={20} aria-hidden />}
        title={text.noMatchHere}
        description={text.noMatchHereNext}
        actions={<Button onClick={onOlder}>{text.goOn}</Button>}
      />
    )
  if (search.value !== undefined) return <UnknownValue value={search.value} {...{ search, onClear, submitReason, onSubmit }} />
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
      icon={<IconFingerprint size={20} aria-hidden />}
      title={text.nothing}
      description={text.nothingNext}
      command={text.nothingCommand}
      actions={
        <Button variant="default" renderRoot={(props) => <Link to={paths.sources} {...props} />}>
          {text.toSources}
        </Button>
      }
    />
  )
}

type UnknownValueProps = Omit<IocsEmptyProps, 'onOlder'> & { value: string }

function UnknownValue({ value, search, onClear, submitReason, onSubmit }: UnknownValueProps) {
  const { data: related } = useQuery(lookupQuery(value))
  const narrowed = isFiltered({ ...search, value: undefined })
  return (
    <EmptyState
      icon={<IconQuestionMark size={20} aria-hidden />}
      title={related?.status === 'excluded' ? iocsText.exclusion.unknown(value) : text.unknown(value)}
      description={
        related?.status === 'excluded' && related.exclusion !== null && related.indicator === null ? (
          <>
            {iocsText.exclusion.by(related.exclusion.created_by)} <TimeText value={related.exclusion.created_at} />.{' '}
            {iocsText.exclusion.because(related.exclusion.reason)}
          </>
        ) : related?.indicator != null && related.relation !== null && related.relation !== 'exact' ? (
          <>
            {iocsText.related(related.value ?? value)} {iocsText.relation[related.relation]}{' '}
            <Link to={paths.ioc} params={{ id: related.indicator.id }} className={`svc-mono ${classes['wrap']}`}>
              {related.indicator.value}
            </Link>
          </>
        ) : narrowed ? (
          text.otherFilters
        ) : (
          text.unknownNext
        )
      }
      actions={
        <>
          <ReasonButton disabledReason={submitReason} onClick={() => onSubmit(value)}>
            {text.submitIt}
          </ReasonButton>
          <Button variant="default" onClick={onClear}>
            {text.clear}
          </Button>
        </>
      }
    />
  )
}
