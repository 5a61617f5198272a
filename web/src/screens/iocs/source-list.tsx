import { IconListCheck, IconListDetails, IconUser } from '@tabler/icons-react'
import type { Sighting } from '../../api/indicators.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './iocs.module.css'
import { iocsText, weight } from './iocs.text.ts'
import { TagList } from './tag-list.tsx'

const text = iocsText.sources

/** Each source with its letter, its weight in the confidence, and what it says; the weightiest first. */
export function SourceList({ sources }: { sources: readonly Sighting[] }) {
  const sorted = [...sources].sort((one, other) => other.weight - one.weight)
  return (
    <ul className={classes['sources']}>
      {sorted.map((source) => (
        <li key={source.source_id} className={classes['source']}>
          <SourceHead source={source} />
          <p className={classes['sourceLine']}>
            <ListedWord source={source} />
            <span>{text.hits(source.hits)}</span>
            <span>
              {text.seen} <TimeText value={source.first_seen} /> {text.to} <TimeText value={source.last_seen} />
            </span>
          </p>
          <Said source={source} />
        </li>
      ))}
    </ul>
  )
}

function SourceHead({ source }: { source: Sighting }) {
  return (
    <div className={classes['sourceHead']}>
      <span className={classes['letter']} title={text.reliability(source.reliability)}>
        <span className={classes['hidden']}>{text.reliability(source.reliability)}</span>
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

function ListedWord({ source }: { source: Sighting }) {
  const [Icon, word] =
    source.kind === 'ANALYST'
      ? [IconUser, text.submitted]
      : source.listed
        ? [IconListCheck, text.listed]
        : [IconListDetails, text.notListed]
  return (
    <span className={classes['listed']} data-listed={source.listed || undefined}>
      <Icon size={14} aria-hidden /> {word}
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
