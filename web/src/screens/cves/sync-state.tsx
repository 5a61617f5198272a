import { useQuery } from '@tanstack/react-query'
import { type CveSync, cveSyncQuery } from '../../api/cves.ts'
import { Callout } from '../../ui/callout.tsx'
import { type StateName, StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './cves.module.css'
import { cvesText } from './cves.text.ts'
import { day } from './figures.ts'

const text = cvesText.sync
const STATES = { NEVER: 'off', RUNNING: 'pending', SUCCEEDED: 'ok', FAILED: 'degraded' } as const satisfies Record<string, StateName>

type SyncSource = CveSync['sources'][number]

/** How far each source is up to date, and a banner for what makes scores untrue. */
export function SyncState() {
  const { data } = useQuery(cveSyncQuery)
  if (data === undefined) return null
  return (
    <>
      <StaleBanner sync={data} />
      <FailureBanner sync={data} />
      <ul className={classes['sync']} aria-label={text.label}>
        {data.sources.map((source) => (
          <li key={source.source}>
            <b>{source.source}</b>
            <State source={source} isStale={source.source === 'EPSS' && data.epss_stale} />
            <Extent source={source} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Scores that are too old to be trusted; nothing while they are not. */
export function StaleBanner({ sync }: { sync: CveSync }) {
  if (!sync.epss_stale) return null
  return (
    <Callout tone="warning" role="status" apart>
      {text.stale}
    </Callout>
  )
}

/** One banner for all sources whose last round failed. The reasons are for an administrator; others are told that there are some. */
function FailureBanner({ sync: { sources } }: { sync: CveSync }) {
  const failed = sources.filter(({ status }) => status === 'FAILED')
  if (failed.length === 0) return null
  const reasons = failed.flatMap(({ error }) => (error === null ? [] : [error]))
  return (
    <Callout tone="warning" role="status" apart>
      {text.failed(failed.map(({ source }) => source))}
      {reasons.length > 0 && (
        <details>
          <summary>{text.reasons}</summary>
          {reasons.map((reason) => (
            <div key={reason}>{reason}</div>
          ))}
        </details>
      )}
    </Callout>
  )
}

function State({ source: { status, data_day }, isStale }: { source: SyncSource; isStale: boolean }) {
  const isStored = status === 'SUCCEEDED' || (status === 'NEVER' && data_day !== null)
  if (isStale && isStored) return <StateWord state="degraded" word={text.staleWord} />
  if (status === 'NEVER' && isStored) return <StateWord state="ok" word={text.fromFile} />
  return <StateWord state={STATES[status]} word={text.status[status]} />
}

/** Up to when, or of which day, or how far a round has come. */
function Extent({ source: { progress, status, checkpoint, data_day, succeeded_at } }: { source: SyncSource }) {
  if (status === 'RUNNING' && progress !== null) return <span>{text.reading(progress.read, progress.total)}</span>
  if (checkpoint !== null)
    return (
      <span>
        {text.upTo} <TimeText value={checkpoint} form="absolute" />
      </span>
    )
  if (data_day !== null) return <span>{text.of(day(data_day))}</span>
  return succeeded_at === null ? null : <TimeText value={succeeded_at} />
}
