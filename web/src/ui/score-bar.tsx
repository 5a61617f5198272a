import classes from './tags.module.css'
import { uiText } from './ui.text.ts'

/** A score from 0 to 100 as bar and number. */
export function ScoreBar({ points }: { points: number }) {
  return (
    <span className={classes['meter']} title={uiText.score(points)}>
      <span className={classes['track']} aria-hidden>
        <span className={classes['fill']} style={{ display: 'block', width: `${Math.max(0, Math.min(100, points))}%` }} />
      </span>
      <span className={classes['number']}>{points}</span>
    </span>
  )
}
