import { Textarea, type TextareaProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'

/** A box of several lines, in which Ctrl+Enter sends what is written. */
export function SendTextarea({ onSend, ...rest }: Omit<TextareaProps, 'onKeyDown'> & { onSend: (event: KeyboardEvent) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend(event)
  }
  return <Textarea autosize {...rest} onKeyDown={onKeyDown} />
}
