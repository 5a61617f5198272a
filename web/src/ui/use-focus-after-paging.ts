import { useEffect, useRef } from 'react'

/** A page turned by a key takes the focused row away, so the first row of the new page gets the focus. @returns call it before turning */
export function useFocusAfterPaging(rows: readonly unknown[] | undefined, waiting: boolean): () => void {
  const wanted = useRef(false)
  useEffect(() => {
    if (!wanted.current || waiting || rows === undefined) return
    wanted.current = false
    document.querySelector<HTMLElement>('[role=grid] tbody tr[tabindex="0"]')?.focus()
  }, [rows, waiting])
  return () => {
    wanted.current = true
  }
}
