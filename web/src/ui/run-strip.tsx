import classes from './tags.module.css'
import { uiText } from './ui.text.ts'

export type RunCell = {
  outcome: 'ok' | 'failed' | 'none' /** Shown on hover, such as the quarter of a day that the cell stands for. */
  label: string
}

/** Runs over time, oldest first (28 cells are 7 days); height differs with the outcome, so colour is not needed to read it. */
export function RunStrip({ cells }: { cells: readonly RunCell[] }) {
  const count = (outcome: RunCell['outcome']) => cells.filter((cell) => cell.outcome === outcome).length
  return (
    <span role="img" aria-label={uiText.runs.summary(count('ok'), count('failed'), count('none'))} className={classes['strip']}>
      {cells.map((cell) => (
        <span
          key={cell.label}
          className={`${classes['cell']} ${classes[cell.outcome]}`}
          title={`${cell.label}: ${uiText.runs[cell.outcome]}`}
        />
      ))}
    </span>
  )
}
