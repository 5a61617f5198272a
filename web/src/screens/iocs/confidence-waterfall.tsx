import type { ConfidenceBreakdown, Indicator } from '../../api/indicators.ts'
import { Waterfall, type WaterfallStep } from '../../ui/waterfall.tsx'
import { LEVEL_STARTS } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'

const text = iocsText.confidence

/** The arithmetic of the confidence, drawn. */
export function ConfidenceWaterfall({ breakdown, level }: { breakdown: ConfidenceBreakdown; level: Indicator['confidence_level'] }) {
  const { sources, freshness, recurrence, total } = breakdown
  return (
    <Waterfall
      sentence={text.sentence(total, { sources: sources.points, freshness: freshness.points, recurrence: recurrence.points })}
      steps={stepsOf(breakdown)}
      total={{
        name: text.total,
        points: total,
        shown: text.ofTotal(total),
        why: (
          <>
            <b>{text.levelWord[level]}</b>; {text.level.MEDIUM}, {text.level.HIGH}
          </>
        ),
        ticks: Object.values(LEVEL_STARTS),
      }}
    />
  )
}

function stepsOf({ sources, freshness, recurrence }: ConfidenceBreakdown): WaterfallStep[] {
  const parts = [
    {
      name: text.sources,
      why: text.sourcesWhy(sources.weights.length, sources.points / sources.max),
      from: 0,
      ...sources,
    },
    {
      name: text.freshness,
      why: text.freshnessWhy(freshness.age_days, freshness.half_life_days),
      from: sources.points,
      ...freshness,
    },
    {
      name: text.recurrence,
      why: text.recurrenceWhy(recurrence.hit_count),
      from: sources.points + freshness.points,
      ...recurrence,
    },
  ]
  return parts.map(({ name, why, from, points, max }) => ({ name, why, from, points, room: max, shown: text.of(points, max) }))
}
