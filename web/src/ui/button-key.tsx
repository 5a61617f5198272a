import classes from './button-key.module.css'
import { KeyHint } from './key-hint.tsx'

/** The keys that do the same as the button in which it stands, for the eye alone. */
export function ButtonKey({ keys }: { keys: string }) {
  return (
    <span className={classes['key']} aria-hidden>
      <KeyHint keys={keys} />
    </span>
  )
}
