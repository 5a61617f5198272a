import classes from './key-hint.module.css'

/** A key chord such as `g k` or `Ctrl K`, one box a key. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={classes['keys']}>
      {keys.split(' ').map((key) => (
        <kbd key={key} className={classes['key']}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
