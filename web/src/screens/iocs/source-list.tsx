import { IconInbox, IconListCheck, IconListDetails, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { deliversNewsOnly } from '../../api/feeds.ts'
import { type FeedName, feedNamesQuery, type Sighting } from '../../api/indicators.ts'
import { useNowMs } from '../../ui/display.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './iocs.module.css'
import { iocsText, weight } from './iocs.text.ts'
import { TagList } from './tag-list.tsx'

const text = iocsText.sources

/** Each source with its letter, its weight in the confidence, and what it says; the weightiest first. */
export function SourceList({ sources }: { sources: readonly Sighting[] }) {
  // A feed that was deleted has no settings any more, and one of very many is not among them; its word still stands.
  const { data: feeds } = useQuery(feedNamesQuery)
  const sorted = [...sources].sort((one, other) => other.weight - one.weight)
  return (
    <ul className={classes['sources']}>
      {sorted.map((source) => {
        const feed = feeds?.find(({ id }) => id === source.source_id)
        return (
          <li key={source.source_id} className={classes['source']}>
            <SourceHead source={source} />
            <p className={classes['sourceLine']}>
              <ListedWord source={source} feed={feed} />
              {feed !== undefined && <span title={text.tlpHint}>{text.tlp(feed.tlp)}</span>}
              <ValidUntil source={source} />
              <span>{text.hits(source.hits)}</span>
              <span>
                {text.seen} <TimeText value={source.first_seen} /> {text.to} <TimeText value={source.last_seen} />
              </span>
            </p>
            <Said source={source} />
          </li>
        )
      })}
    </ul>
  )
}

function SourceHead({ source }: { source: Sighting }) {
  return (
    <div className={classes['sourceHead']}>
      <span className={classes['letter']} title={text.reliability(source.reliability)}>
        <span className="svc-unseen">{text.reliability(source.reliability)}</span>
        <span aria-hidden>{source.reliability}</span>
      </span>
      <span className={classes['sourceName']}>{source.kind === 'ANALYST' ? text.analyst : source.name}</span>
      <span className={classes['weight']}>
        <span className={classes['weightTrack']} aria-hidden>
          <span className={classes['weightFill']} style={{ width: `${Math.round(source.weight * 100)}%` }} />
        </span>
        {text.weight} <b>{weight(source.weight)}</b>
      </span>
    </div>
  )
}

function ListedWord({ source, feed }: { source: Sighting; feed: FeedName | undefined }) {
  const [Icon, word] =
    source.kind === 'ANALYST'
      ? [IconUser, text.submitted]
      : source.listed
        ? [IconListCheck, text.listed]
        : feed !== undefined && deliversNewsOnly(feed)
          ? [IconInbox, text.delivered]
          : [IconListDetails, text.notListed]
  return (
    <span className={classes['listed']} data-listed={source.listed || undefined}>
      <Icon size={14} aria-hidden /> {word}
    </span>
  )
}

/** The source's own end of validity; one that has passed ends the source's word on the value. */
function ValidUntil({ source: { valid_until } }: { source: Sighting }) {
  const nowMs = useNowMs()
  if (valid_until === null) return null
  return (
    <span title={text.validHint}>
      {Date.parse(valid_until) > nowMs ? text.validUntil : text.validEnded} <TimeText value={valid_until} form="absolute" />
    </span>
  )
}

function Said({ source }: { source: Sighting }) {
  const { severity, tags, description, reported_first_seen, reported_last_seen } = source
  const reported = reported_first_seen ?? reported_last_seen
  const word = Object.entries(uiText.severity).find(([name]) => name === severity)?.[1]
  return (
    <>
      {description !== null && <p className={classes['description']}>{description}</p>}
      {reported !== null && (
        <p className={classes['sourceLine']}>
          <span>
            {text.reported} <TimeText value={reported_first_seen ?? reported} form="absolute" />
            {reported_first_seen !== null && reported_last_seen !== null && (
              <>
                {' '}
                {text.to} <TimeText value={reported_last_seen} form="absolute" />
              </>
            )}
          </span>
        </p>
      )}
      {(tags.length > 0 || word !== undefined) && <TagList tags={[...(word === undefined ? [] : [`${text.says} ${word}`]), ...tags]} />}
    </>
  )
}
