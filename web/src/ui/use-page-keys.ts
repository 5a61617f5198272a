import { useEffect, useRef } from 'react'
import { useDisplay } from './display.tsx'

/** Single keys of this screen, such as `n`, wherever the focus is; silent in text boxes, menus and dialogs that ask for something. */
export function usePageKeys(acts: Readonly<Record<string, () => void>>): void {
  const { letterKeys } = useDisplay()
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    if (!letterKeys) return
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [letterKeys])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=dialog]:has(form)') !== null
  )
}
