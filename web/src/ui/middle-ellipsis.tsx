import classes from './middle-ellipsis.module.css'

/** Characters that always stay at the end: enough for a TLD, a file name or the last bytes of a hash. */
const DEFAULT_TAIL = 8

/** A long value in mono, cut in its middle by CSS alone; the whole text stays in the title and for copying. */
export function MiddleEllipsis({ text, tail = DEFAULT_TAIL }: { text: string; tail?: number | undefined }) {
  const cut = text.length > tail * 2 ? text.length - tail : text.length
  return (
    <span className={`svc-mono ${classes['value']}`} title={text}>
      <span className={classes['head']}>{text.slice(0, cut)}</span>
      <span className={classes['tail']}>{text.slice(cut)}</span>
    </span>
  )
}
