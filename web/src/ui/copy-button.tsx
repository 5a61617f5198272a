import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './copy-button.module.css'
import { copyText } from './copy-text.ts'
import { uiText } from './ui.text.ts'

/** How long the tick stays, ms. Assumption: long enough to be seen, short enough not to mislead. */
const SHOWN_MS = 1500

/** Copies `text`; `what` names it for screen readers, such as "value". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className={classes['button']}
      aria-label={copied ? uiText.copied : uiText.copyValue(what)}
      title={uiText.copyValue(what)}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(text).then(setCopied)
      }}
    >
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </button>
  )
}
