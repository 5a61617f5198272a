import classes from './quality.module.css'
import { percent, qualityText } from './quality.text.ts'

/** A share as bar and number, with what it is a share of; a dash where there was nothing to measure. @param share 0 to 1 */
export function ShareBar({ share, part, whole }: { share: number | null; part?: number; whole?: number }) {
  if (share === null) return <span className={classes['none']}>{qualityText.nothing}</span>
  const title = part === undefined || whole === undefined ? percent(share) : qualityText.measured(part, whole)
  return (
    <span className={classes['share']} title={title}>
      <span className={classes['track']} aria-hidden>
        <span className={classes['fill']} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span>{percent(share)}</span>
    </span>
  )
}
