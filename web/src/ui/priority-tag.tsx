import { tagColours } from './tag-colours.ts'
import classes from './tags.module.css'

/** P0 to P3: a square with its own text, in the violet family so that it is never taken for a severity. */
export function PriorityTag({ priority }: { priority: 'P0' | 'P1' | 'P2' | 'P3' }) {
  return (
    <span className={classes['square']} style={tagColours('priority', priority)}>
      {priority}
    </span>
  )
}
