import { IconInfoCircle, IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type IndicatorDetail, indicatorQuery } from '../../api/indicators.ts'
import { toProblem } from '../../api/problem.ts'
import { LinkedIncidents } from '../../shell/incident/linked-incidents.tsx'
import { Callout } from '../../ui/callout.tsx'
import { DetailBody, DetailSkeleton } from '../../ui/detail-body.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { ConfidenceWaterfall } from './confidence-waterfall.tsx'
import { FreshnessCurve } from './freshness-curve.tsx'
import { IocState } from './ioc-columns.tsx'
import classes from './iocs.module.css'
import { count, fullType, iocsText } from './iocs.text.ts'
import { SourceList } from './source-list.tsx'
import { TagList } from './tag-list.tsx'

/** All that is known of one IOC, for the drawer and for the full page. */
export function IocBody({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(indicatorQuery(id))
  if (data !== undefined) return <IocFacts ioc={data} />
  if (error !== null) return <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />
  return <DetailSkeleton label={iocsText.detail.loading} heights={[236, 214, 150, 260]} />
}

function IocFacts({ ioc }: { ioc: IndicatorDetail }) {
  const breakdown = ioc.confidence_breakdown
  return (
    <DetailBody
      lead={
        <>
          {ioc.exclusion !== null && <ExcludedNote exclusion={ioc.exclusion} />}
          <Notes notes={ioc.notes} />
        </>
      }
      left={
        <>
          <SectionPanel title={iocsText.confidence.title}>
            <ConfidenceWaterfall breakdown={breakdown} level={ioc.confidence_level} />
          </SectionPanel>
          <SectionPanel title={iocsText.curve.title}>
            <FreshnessCurve freshness={breakdown.freshness} />
          </SectionPanel>
        </>
      }
      right={
        <>
          <SectionPanel title={iocsText.sources.title(ioc.sources.length)}>
            <SourceList sources={ioc.sources} />
          </SectionPanel>
          <LinkedIncidents about={{ indicator_id: ioc.id }} />
          <SectionPanel title={iocsText.detail.facts}>
            <FactList facts={factsOf(ioc)} />
          </SectionPanel>
        </>
      }
    />
  )
}

function factsOf(ioc: IndicatorDetail) {
  const names = iocsText.columns
  return [
    { name: names.type, value: fullType(ioc) },
    { name: names.severity, value: <SeverityTag severity={ioc.severity} /> },
    { name: names.state, value: <IocState ioc={ioc} /> },
    { name: names.firstSeen, value: <TimeText value={ioc.first_seen} form="both" /> },
    { name: names.lastSeen, value: <TimeText value={ioc.last_seen} form="both" /> },
    { name: names.expires, value: <TimeText value={ioc.expires_at} form="both" /> },
    { name: names.hits, value: count(ioc.hit_count) },
    { name: iocsText.detail.tags, value: ioc.tags.length === 0 ? iocsText.detail.noTags : <TagList tags={ioc.tags} /> },
    { name: iocsText.detail.id, value: <span className="svc-mono">{ioc.id}</span> },
  ]
}

/** Who keeps it out, since when and why. */
function ExcludedNote({ exclusion }: { exclusion: NonNullable<IndicatorDetail['exclusion']> }) {
  const { kind, value, reason, created_by, created_at, ends_at } = exclusion
  return (
    <Callout tone="info" role="note" label={iocsText.exclusion.note} apart icon={<IconShieldOff size={16} aria-hidden />}>
      <p>
        {iocsText.exclusion.by(created_by)} <TimeText value={created_at} />
        {ends_at !== null && (
          <>
            {iocsText.exclusion.until} <TimeText value={ends_at} />
          </>
        )}
        {kind !== 'VALUE' && (
          <>
            , {iocsText.exclusion.through[kind]} <span className="svc-mono">{value}</span>
          </>
        )}
      </p>
      <p>{iocsText.exclusion.because(reason)}</p>
    </Callout>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <Callout tone="info" role="note" label={iocsText.detail.notes} apart icon={<IconInfoCircle size={16} aria-hidden />}>
      <ul className={classes['notes']}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Callout>
  )
}
