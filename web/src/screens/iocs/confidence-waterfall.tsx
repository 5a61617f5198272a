import type { ConfidenceBreakdown, Indicator } from '../../api/indicators.ts'
import classes from './iocs.module.css'
import { LEVEL_STARTS } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'

const text = iocsText.confidence

type Step = { name: string; why: string; from: number; points: number; max: number }

/** The arithmetic of the confidence, drawn: each part begins where the one before ends, up to the total. */
export function ConfidenceWaterfall({ breakdown, level }: { breakdown: ConfidenceBreakdown; level: Indicator['confidence_level'] }) {
  const { sources, freshness, recurrence, total } = breakdown
  return (
    <div className={classes['waterfall']}>
      <p className={classes['sentence']}>
        {text.sentence(total, { sources: sources.points, freshness: freshness.points, recurrence: recurrence.points })}
      </p>
      <ol className={classes['steps']}>
        {stepsOf(breakdown).map((step) => (
          <li key={step.name} className={classes['step']}>
            <span className={classes['stepName']}>{step.name}</span>
            <span className={classes['stepTrack']} aria-hidden>
              <span className={classes['stepRoom']} style={{ left: `${step.from}%`, width: `${step.max}%` }} />
              <span className={classes['stepFill']} style={{ left: `${step.from}%`, width: `${step.points}%` }} />
            </span>
            <span className={classes['stepPoints']}>{text.of(step.points, step.max)}</span>
            <span className={classes['stepWhy']}>{step.why}</span>
          </li>
        ))}
        <li className={classes['step']} data-total>
          <span className={classes['stepName']}>{text.total}</span>
          <span className={classes['stepTrack']} aria-hidden>
            <span className={classes['stepFill']} style={{ left: 0, width: `${total}%` }} />
            {Object.values(LEVEL_STARTS).map((start) => (
              <span key={start} className={classes['tick']} style={{ left: `${start}%` }} />
            ))}
          </span>
          <span className={classes['stepPoints']}>{text.ofTotal(total)}</span>
          <span className={classes['stepWhy']}>
            <b>{text.levelWord[level]}</b>; {text.level.MEDIUM}, {text.level.HIGH}
          </span>
        </li>
      </ol>
    </div>
  )
}

function stepsOf({ sources, freshness, recurrence }: ConfidenceBreakdown): Step[] {
  return [
    {
      name: text.sources,
      why: text.sourcesWhy(sources.weights.length, sources.points / sources.max),
      from: 0,
      points: sources.points,
      max: sources.max,
    },
    {
      name: text.freshness,
      why: text.freshnessWhy(freshness.age_days, freshness.half_life_days),
      from: sources.points,
      points: freshness.points,
      max: freshness.max,
    },
    {
      name: text.recurrence,
      why: text.recurrenceWhy(recurrence.hit_count),
      from: sources.points + freshness.points,
      points: recurrence.points,
      max: recurrence.max,
    },
  ]
}
