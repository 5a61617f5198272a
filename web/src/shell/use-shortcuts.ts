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
    const listen = (event: KeyboardEvent) => {
      const { go, onHelp, onPalette, letters } = latest.current
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onPalette()
        return
      }
      if (!letters || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const inChord = performance.now() < chordEndsMs
      chordEndsMs = 0
      if (event.key === 'g' && !inChord) {
        chordEndsMs = performance.now() + CHORD_MS
        return
      }
      if ((inChord && go(event.key)) || event.key === '?') {
        event.preventDefault()
        // In the capture phase this keeps the letter from the grid, where `k` would move the cursor.
        event.stopPropagation()
        if (event.key === '?') onHelp()
      }
    }
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null
  )
}
