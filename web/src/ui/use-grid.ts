import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { copyText } from './copy-text.ts'
import type { DataTableProps } from './data-table.types.ts'
import { useDisplay } from './display.tsx'
import { notifyDone } from './notify.ts'
import { nextRowIndex } from './row-move.ts'
import { rangeOf, toggled } from './row-selection.ts'
import { uiText } from './ui.text.ts'

/** The row the reader last stood on, by grid: Back from a details page finds it again. */
const lastRow = new Map<string, string>()

export type Grid = {
  body: RefObject<HTMLTableSectionElement | null>
  /** Index of the one row that Tab reaches. */
  cursor: number
  moveTo: (index: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** Cursor and keys of a grid: one row in the tab order, arrows and letters move and act on it. */
export function useGrid<Row>(props: DataTableProps<Row>): Grid {
  const { rows, rowId, label } = props
  const { letterKeys } = useDisplay()
  const body = useRef<HTMLTableSectionElement>(null)
  const [cursorId, setCursorId] = useState(() => lastRow.get(label))
  const anchor = useRef<string | undefined>(undefined)
  const ids = (rows ?? []).map(rowId)
  const cursor = Math.max(0, cursorId === undefined ? 0 : ids.indexOf(cursorId))

  useEffect(() => {
    keepInnerControlsOutOfTabOrder(body.current)
  })

  const moveTo = (index: number) => {
    const id = ids[index]
    if (id === undefined) return
    lastRow.set(label, id)
    setCursorId(id)
  }
  const focusIndex = (index: number) => {
    moveTo(index)
    const row = body.current?.rows[index]
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const select = (range: boolean) => {
    const id = ids[cursor]
    if (id === undefined || props.onSelect === undefined) return
    const selected = props.selected ?? new Set<string>()
    props.onSelect(range ? new Set([...selected, ...rangeOf(ids, anchor.current, id)]) : toggled(selected, id))
    anchor.current = id
  }
  const copy = (row: Row, defanged: boolean) => {
    if (props.copyText === undefined) return
    void copyText(props.copyText(row, defanged)).then((done) => notifyDone(done ? uiText.copied : uiText.copyFailed))
  }

  const actOnLetter = (key: string, row: Row): boolean => {
    const acts = new Map<string, () => void>([
      ['x', () => select(false)],
      ['X', () => select(true)],
      ['o', () => (props.onOpenPage ?? props.onOpen)?.(row)],
      ['c', () => copy(row, false)],
      ['C', () => copy(row, true)],
      ['[', () => props.onPage?.(-1)],
      [']', () => props.onPage?.(1)],
      ['/', focusFilterBox],
    ])
    const ownAct = props.rowKeys?.[key]
    const act = ownAct === undefined ? acts.get(key) : () => ownAct(row)
    act?.()
    return act !== undefined
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const onRow = event.target instanceof HTMLTableRowElement
    const row = rows?.[cursor]
    if (row === undefined) return
    if (event.key === 'Escape' && !onRow) {
      event.preventDefault()
      body.current?.rows[cursor]?.focus()
      return
    }
    const target = nextRowIndex(event.key, cursor, ids.length, letterKeys)
    if (target !== undefined) {
      event.preventDefault()
      focusIndex(target)
      return
    }
    // Enter and Space on a button or link inside the row belong to that control.
    if (!onRow) return
    if (event.key === 'Enter') {
      event.preventDefault()
      props.onOpen?.(row)
    } else if (event.key === ' ' && props.onSelect !== undefined) {
      event.preventDefault()
      select(event.shiftKey)
    } else if (letterKeys && actOnLetter(event.key, row)) {
      event.preventDefault()
    }
  }
  return { body, cursor, moveTo, onKeyDown }
}

function focusFilterBox(): void {
  const box = document.querySelector<HTMLElement>('[data-filter-box]')
  const input = box?.matches('input') === true ? box : box?.querySelector('input')
  input?.focus()
}

/** Cells hold any control; without this, Tab would stop at each of them in each of 50 rows. */
function keepInnerControlsOutOfTabOrder(body: HTMLTableSectionElement | null): void {
  for (const row of body?.rows ?? []) {
    const reachable = row.tabIndex === 0
    for (const control of row.querySelectorAll<HTMLElement>('a, button, input, select')) control.tabIndex = reachable ? 0 : -1
  }
}
