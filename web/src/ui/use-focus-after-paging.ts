import { useEffect, useRef } from 'react'
import { focusFirstRow } from './focus-first-row.ts'

/** A page turned by a key takes the focused row away, so the first row of the new page gets the focus. @returns call it before turning */
export function useFocusAfterPaging(rows: readonly unknown[] | undefined, waiting: boolean): () => void {
  const wanted = useRef(false)
  useEffect(() => {
    if (!wanted.current || waiting || rows === undefined) return
    wanted.current = false
    focusFirstRow()
  }, [rows, waiting])
  return () => {
    wanted.current = true
  }
}
