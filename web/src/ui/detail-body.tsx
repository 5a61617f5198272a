import type { ReactNode } from 'react'
import classes from './detail-body.module.css'

/** The parts of a detail, in a drawer and on a page alike: two columns where there is room for them, one below the other elsewhere. */
export function DetailBody({ lead, left, right }: { lead: ReactNode; left: ReactNode; right: ReactNode }) {
  return (
    <div className={classes['body']}>
      {lead}
      <div className={classes['grid']}>
        <div className={classes['column']}>{left}</div>
        <div className={classes['column']}>{right}</div>
      </div>
    </div>
  )
}

/** Stands for the parts while they are read, so that nothing jumps when they come. @param heights of the parts, in pixels, each once */
export function DetailSkeleton({ label, heights }: { label: string; heights: readonly number[] }) {
  return (
    <div className={classes['body']} role="status" aria-label={label}>
      <div className={classes['grid']} aria-hidden>
        {heights.map((height) => (
          <div key={height} className={classes['skeleton']} style={{ height }} />
        ))}
      </div>
    </div>
  )
}
