import classes from './tags.module.css'
import { uiText } from './ui.text.ts'

export type ConfidenceLevelName = 'LOW' | 'MEDIUM' | 'HIGH'

/** Confidence as bar, number (0 to 100) and the level's word. */
export function ConfidenceBar({ points, level }: { points: number; level: ConfidenceLevelName }) {
  const word = uiText.confidenceLevel[level]
  return (
    <span className={classes['meter']} title={uiText.confidence(points, word)}>
      <span className={classes['track']} aria-hidden>
        <span className={classes['fill']} style={{ display: 'block', width: `${Math.max(0, Math.min(100, points))}%` }} />
      </span>
      <span className={classes['number']}>{points}</span>
      <span className={classes['level']}>{word}</span>
    </span>
  )
}
