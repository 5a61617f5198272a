import { type Bullet, shareOf } from './bullet-scale.ts'
import classes from './soc.module.css'

/** Size of the drawing, px. */
const HEIGHT = 22
const P90_HEIGHT = 14
const MEDIAN_HEIGHT = 6

/** Median and 90th percentile against the target. The figures stand beside it as words, so that it is for the eye alone. @param reach width, in targets */
export function BulletBar({ bullet, reach }: { bullet: Bullet; reach: number }) {
  const { median_ms, p90_ms, target_ms } = bullet
  const target = percent(shareOf(target_ms, bullet, reach).share)
  const isCut = p90_ms !== null && shareOf(p90_ms, bullet, reach).isCut
  return (
    <svg className={classes['bullet']} width="100%" height={HEIGHT} aria-hidden>
      <line className={classes['bulletBase']} x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {p90_ms !== null && (
        <rect
          className={classes['bulletP90']}
          y={(HEIGHT - P90_HEIGHT) / 2}
          width={percent(shareOf(p90_ms, bullet, reach).share)}
          height={P90_HEIGHT}
        />
      )}
      {median_ms !== null && (
        <rect
          className={classes['bulletMedian']}
          y={(HEIGHT - MEDIAN_HEIGHT) / 2}
          width={percent(shareOf(median_ms, bullet, reach).share)}
          height={MEDIAN_HEIGHT}
        />
      )}
      <line className={classes['bulletTarget']} x1={target} x2={target} y1="0" y2={HEIGHT} />
      {isCut && (
        <text className={classes['bulletCut']} x="100%" dx={-4} y={HEIGHT / 2 + 4} textAnchor="end">
          »
        </text>
      )}
    </svg>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
