import type { ReactNode } from 'react'
import classes from './waterfall.module.css'

export type WaterfallStep = {
  name: string
  /** Where it begins: the sum of the parts before it. */
  from: number
  points: number
  /** The most it could have given. */
  room: number
  /** Its points in words. */
  shown: string
  why: string
}

export type WaterfallTotal = {
  name: string
  points: number
  shown: string
  why: ReactNode
  /** Where levels begin. */
  ticks: readonly number[]
  /** A level that was reached without the points for it: the way there is drawn. */
  liftedTo?: number | undefined
  /** What the parts came to, when the total is held below it: the part that was cut is drawn. */
  cutFrom?: number | undefined
}

export type WaterfallProps = {
  sentence: string
  steps: readonly WaterfallStep[]
  total: WaterfallTotal
  /** Points at the right end of the tracks. */
  scale?: number
  /** A limit of the total, drawn through all tracks. */
  limit?: number | undefined
}

/** The arithmetic of a score, drawn: each part begins where the one before ends, up to the total. */
export function Waterfall({ sentence, steps, total, scale = 100, limit }: WaterfallProps) {
  const at = (points: number) => `${(100 * points) / scale}%`
  const limitLine = limit === undefined ? null : <span className={classes['limit']} style={{ left: at(limit) }} />
  return (
    <div className={classes['waterfall']}>
      <p className={classes['sentence']}>{sentence}</p>
      <ol className={classes['steps']}>
        {steps.map(({ name, from, points, room, shown, why }) => (
          <li key={name} className={classes['step']}>
            <span className={classes['stepName']}>{name}</span>
            <span className={classes['stepTrack']} aria-hidden>
              <span className={classes['stepRoom']} style={{ left: at(from), width: at(Math.min(room, scale - from)) }} />
              <span className={classes['stepFill']} style={{ left: at(from), width: at(points) }} />
              {limitLine}
            </span>
            <span className={classes['stepPoints']}>{shown}</span>
            <span className={classes['stepWhy']}>{why}</span>
          </li>
        ))}
        <li className={classes['step']} data-total>
          <span className={classes['stepName']}>{total.name}</span>
          <span className={classes['stepTrack']} aria-hidden>
            <span className={classes['stepFill']} style={{ left: 0, width: at(total.points) }} />
            {total.liftedTo !== undefined && total.liftedTo > total.points && (
              <span className={classes['lift']} style={{ left: at(total.points), width: at(total.liftedTo - total.points) }} />
            )}
            {total.cutFrom !== undefined && total.cutFrom > total.points && (
              <span className={classes['cut']} style={{ left: at(total.points), width: at(total.cutFrom - total.points) }} />
            )}
            {total.ticks.map((tick) => (
              <span key={tick} className={classes['tick']} style={{ left: at(tick) }} />
            ))}
            {limitLine}
          </span>
          <span className={classes['stepPoints']}>{total.shown}</span>
          <span className={classes['stepWhy']}>{total.why}</span>
        </li>
      </ol>
    </div>
  )
}
