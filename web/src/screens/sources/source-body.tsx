import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deliversNewsOnly, type Run, runsQuery, type Source } from '../../api/feeds.ts'
import { toProblem } from '../../api/problem.ts'
import { paths } from '../../shell/paths.ts'
import { useCan } from '../../shell/use-can.ts'
import { Callout } from '../../ui/callout.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { intervalWords } from './interval-words.ts'
import { NextTry } from './next-try.tsx'
import { RunStory } from './run-story.tsx'
import { RunTable } from './run-table.tsx'
import classes from './sources.module.css'
import { count, sourcesText } from './sources.text.ts'
import { WeekStrip } from './week-strip.tsx'

const text = sourcesText.drawer

/** All that is known of one source: why it failed, its collections, what they refused, and how it is read. */
export function SourceBody({ source, onAcceptShrink }: { source: Source; onAcceptShrink: () => void }) {
  const { id, health } = source
  const { data: runs, error, refetch } = useQuery(runsQuery(id, `${health?.last_run?.id ?? ''} ${health?.last_run?.outcome ?? ''}`))
  const [chosenId, setChosenId] = useState<string>()
  const told = runs?.find((run) => run.id === chosenId) ?? runs?.find(hasStory) ?? runs?.[0]
  return (
    <>
      {source.has_error && <ErrorPanel source={source} lastRun={runs?.[0]} onAcceptShrink={onAcceptShrink} />}
      <SectionPanel title={sourcesText.runs.title}>
        {error !== null && <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />}
        {runs === undefined ? (
          error === null && <div className={classes['skeleton']} role="status" aria-label={sourcesText.runs.loading} />
        ) : (
          <RunTable runs={runs} chosenId={told?.id} onChoose={setChosenId} />
        )}
      </SectionPanel>
      {told !== undefined && <RunStory source={source} run={told} />}
      <SectionPanel title={text.facts}>
        <FactList facts={factsOf(source)} />
      </SectionPanel>
      <SectionPanel title={text.parser}>
        {Object.keys(source.parser).length === 0 ? (
          <p className="svc-dim">{text.parserNone}</p>
        ) : (
          <ScrollBox label={text.parserScroll}>
            <pre className={classes['json']}>{JSON.stringify(source.parser, null, 2)}</pre>
          </ScrollBox>
        )}
      </SectionPanel>
    </>
  )
}

/** Whether there is more to tell of a run than that nothing happened. */
function hasStory({ outcome }: Run): boolean {
  return outcome !== 'RUNNING' && outcome !== 'UNCHANGED' && outcome !== 'POSTPONED'
}

/** How the server says that a list has lost too much. Source: shrinkMessage in src/domains/feeds/collect.service.ts. */
const SHRINK_MARK = '--accept-shrink'

function ErrorPanel({ source, lastRun, onAcceptShrink }: { source: Source; lastRun: Run | undefined; onAcceptShrink: () => void }) {
  const can = useCan()
  const mayRead = can('feed.error.read')
  const shrunk = [source.last_error, lastRun?.error, lastRun?.warning].some((words) => words?.includes(SHRINK_MARK) === true)
  return (
    <Callout tone="warning" icon={<IconAlertTriangle size={16} aria-hidden />} title={text.errorTitle}>
      <p>{mayRead === true ? (source.last_error ?? lastRun?.error ?? text.unknown) : mayRead}</p>
      {shrunk && (
        <p>
          <ReasonButton variant="default" disabledReason={can('feed.run')} onClick={onAcceptShrink}>
            {text.acceptShrink}
          </ReasonButton>{' '}
          <span className="svc-dim">{text.acceptShrinkHint}</span>
        </p>
      )}
    </Callout>
  )
}

function factsOf(source: Source) {
  const { health } = source
  const names = text.names
  return [
    {
      name: names.url,
      value: (
        <span className={classes['copyable']}>
          <span className="svc-mono">{source.url}</span>
          <CopyButton text={source.url} what={names.url} />
        </span>
      ),
    },
    { name: names.kind, value: sourcesText.kind(source.format, source.feed_type) },
    { name: names.reliability, value: sourcesText.reliabilityOf(source.reliability) },
    { name: names.interval, value: intervalWords(source.frequency) },
    { name: names.next, value: <NextTry source={source} /> },
    { name: names.lastSuccess, value: <TimeText value={source.last_successful_run} form="both" /> },
    { name: names.lastAttempt, value: <TimeText value={health?.last_attempt} form="both" /> },
    ...(health === undefined
      ? []
      : [
          {
            name: names.week,
            value: (
              <span className={classes['week']}>
                <WeekStrip strip={health.strip} />
                <span>{text.weekCounts(health.collections_7d, health.failures_7d)}</span>
              </span>
            ),
          },
        ]),
    {
      name: names.listed,
      value: (
        <>
          {deliversNewsOnly(source) ? sourcesText.newsOnlyHint : count(source.listed)}{' '}
          {(source.listed > 0 || deliversNewsOnly(source)) && (
            <Link to={paths.iocs} search={{ feed: source.id } as never}>
              {text.showIocs}
            </Link>
          )}
        </>
      ),
    },
    { name: names.tlp, value: source.tlp },
    { name: names.licence, value: source.licence ?? <span className="svc-dim">{text.unknown}</span> },
    { name: names.homepage, value: <Homepage url={source.homepage} /> },
    { name: names.created, value: <TimeText value={source.created_at} form="absolute" /> },
    { name: names.id, value: <span className="svc-mono">{source.id}</span> },
  ]
}

/** A link only when it leads to the web: what is stored here was typed by a person. */
function Homepage({ url }: { url: string | null }) {
  if (url === null) return <span className="svc-dim">{text.unknown}</span>
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:') return url
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )
}
