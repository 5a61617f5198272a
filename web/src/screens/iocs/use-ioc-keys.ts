import { useEffect, useRef } from 'react'
import { useDisplay } from '../../ui/display.tsx'

/** Single keys of an open IOC, such as `c`, wherever the focus is; silent in text boxes, lists and behind other dialogs. */
export function useIocKeys(acts: Readonly<Record<string, () => void>>): void {
  const { letterKeys } = useDisplay()
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    if (!letterKeys) return
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [letterKeys])
}

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=grid], [role=menu]') !== null
}
