import type { CveDetail } from '../../../api/cves.ts'
import { Waterfall } from '../../../ui/waterfall.tsx'
import classes from '../cves.module.css'
import { detailText } from './detail.text.ts'
import { MOST_POINTS, scoreSentence, scoreSteps, scoreTotal } from './score-steps.ts'

/** The composite score, point by point, with its cap and its floor. */
export function ScoreWaterfall({ cve }: { cve: CveDetail }) {
  return (
    <>
      <Waterfall
        sentence={scoreSentence(cve)}
        steps={scoreSteps(cve)}
        total={scoreTotal(cve)}
        scale={MOST_POINTS}
        limit={cve.breakdown.cap ?? undefined}
      />
      {cve.epss !== null && cve.epss_day !== null && (
        <p className={classes['note']}>{detailText.score.epssOf(cve.epss_day, cve.epss_model)}</p>
      )}
    </>
  )
}
