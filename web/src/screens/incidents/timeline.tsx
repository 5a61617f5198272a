import { NativeSelect } from '@mantine/core'
import {
  IconArrowRight,
  IconArrowUp,
  IconFlag,
  IconLink,
  IconLinkOff,
  IconMessage,
  IconPencil,
  IconTool,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type IncidentDetail, type TimelineEntry, timelineQuery } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './incidents.module.css'
import { describeEntry, incidentsText } from './incidents.text.ts'

const text = incidentsText.timeline

const ICONS: Record<TimelineEntry['kind'], ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = {
  CREATED: IconFlag,
  TITLE_CHANGED: IconPencil,
  SEVERITY_CHANGED: IconPencil,
  STATUS_CHANGED: IconArrowRight,
  CLOSED: IconFlag,
  REOPENED: IconFlag,
  ASSIGNED: IconUser,
  ESCALATED: IconArrowUp,
  COMMENT: IconMessage,
  ACTION_DECLARED: IconTool,
  IOC_LINKED: IconLink,
  IOC_UNLINKED: IconLinkOff,
  CVE_LINKED: IconLink,
  CVE_UNLINKED: IconLinkOff,
}
const FILTERS = ['all', 'words', 'system'] as const
type Filter = (typeof FILTERS)[number]
const WORDS: readonly TimelineEntry['kind'][] = ['COMMENT', 'ACTION_DECLARED']

/** What happened, oldest first, with the box to write into below it. */
export function Timeline({ incident, composer }: { incident: IncidentDetail; composer: ReactNode }) {
  const [filter, setFilter] = useState<Filter>('all')
  const { data: entries, error, refetch } = useQuery(timelineQuery(incident.id))
  const shown = entries?.filter(({ kind }) => filter === 'all' || WORDS.includes(kind) === (filter === 'words'))
  return (
    <SectionPanel
      title={text.title(incident.event_count)}
      actions={
        <NativeSelect
          size="xs"
          aria-label={text.filter}
          value={filter}
          data={FILTERS.map((value) => ({ value, label: text.filters[value] }))}
          onChange={({ currentTarget: { value } }) => setFilter(FILTERS.find((name) => name === value) ?? 'all')}
        />
      }
    >
      {error !== null && entries === undefined && <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />}
      {shown !== undefined && <EntryList entries={shown} />}
      {shown?.length === 0 && <p className={classes['aside']}>{text.nothing}</p>}
      {entries !== undefined && entries.length < incident.event_count && <p className={classes['aside']}>{text.cut(entries.length)}</p>}
      <p className={classes['aside']}>{text.appendOnly}</p>
      {composer}
    </SectionPanel>
  )
}

/** Rows of a timeline. */
export function EntryList({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className={classes['entries']}>
      {entries.map((entry) => {
        const Icon = ICONS[entry.kind]
        return (
          <li key={entry.seq} data-kind={entry.kind}>
            <span className={classes['entryIcon']}>
              <Icon size={15} aria-hidden />
            </span>
            <div className={classes['entryBody']}>
              <p className={classes['entryLine']}>
                <b>{entry.actor}</b> {describeEntry(entry)} <TimeText value={entry.at} form="both" />
              </p>
              {entry.note !== null && <p className={classes['noteText']}>{entry.note}</p>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
