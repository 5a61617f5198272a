import { useEffect, useRef } from 'react'

export type Shortcuts = {
  /** `g` and then this letter. */
  go: (letter: string) => boolean
  onHelp: () => void
  onPalette: () => void
  /** False leaves only Ctrl+K. */
  letters: boolean
}

/** How long `g` waits for its letter, ms. Assumption: unhurried typing of two keys. */
const CHORD_MS = 1500

/** The keys that work on every screen; silent while the reader types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    let chordEndsMs = 0
    const actOn = (key: string): boolean => {
      const inChord = performance.now() < chordEndsMs
      chordEndsMs = 0
      if (inChord && latest.current.go(key)) return true
      if (key === '?') latest.current.onHelp()
      if (key === 'g' && !inChord) chordEndsMs = performance.now() + CHORD_MS
      return key === '?'
    }
    const listen = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (isPaletteKey(event)) latest.current.onPalette()
      else if (!plain || !latest.current.letters || isTyping(event.target) || !actOn(event.key)) return
      event.preventDefault()
      // In the capture phase this keeps the letter from the grid, where `k` would move the cursor.
      event.stopPropagation()
    }
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null
  )
}
