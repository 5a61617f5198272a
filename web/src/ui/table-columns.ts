import { type CSSProperties, type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { DataColumn } from './data-table.types.ts'

/** Where rows are stacked instead of laid out in columns. Source: data-table.module.css. */
const STACKED = '(max-width: 560px)'
/** What a column without a width needs to stay readable, px. Assumption: about 24 characters in mono. */
const FLEXIBLE_MIN_PX = 200
const CHECKBOX_PX = 40
/** The order of a column that a reader can do without, when it names none. */
const FIRST = 1

type Place = {
  /** Width of the box around the table, px; undefined before it was measured. */
  widthPx: number | undefined
  /** Rows stand below one another and have room for most columns. */
  stacked: boolean
  hasCheckboxes: boolean
}

/** The columns that have room, measured at the box around the table. */
export function useVisibleColumns<Row>(
  columns: readonly DataColumn<Row>[],
  box: RefObject<HTMLElement | null>,
  hasCheckboxes: boolean,
): readonly DataColumn<Row>[] {
  const stacked = useSyncExternalStore(subscribeToStacked, () => matchMedia(STACKED).matches)
  const [widthPx, setWidthPx] = useState<number>()
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setWidthPx(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return columnsWithRoom(columns, { widthPx, stacked, hasCheckboxes })
}

/** Drops columns in their order until the rest fits; left out of the page altogether, since hidden cells would upset the spans of others. */
export function columnsWithRoom<Row>(columns: readonly DataColumn<Row>[], place: Place): readonly DataColumn<Row>[] {
  if (place.stacked) return columns.filter(({ wideOnly }) => wideOnly !== true)
  if (place.widthPx === undefined) return columns
  const dropped = columns.flatMap((column) => {
    const order = orderOf(column)
    return order === undefined ? [] : [{ column, order }]
  })
  dropped.sort((a, b) => a.order - b.order)
  let kept = columns
  for (const { column } of dropped) {
    if (minWidthPx(kept, place.hasCheckboxes) <= place.widthPx) break
    kept = kept.filter((candidate) => candidate !== column)
  }
  return kept
}

function orderOf<Row>({ drop, wideOnly = false }: DataColumn<Row>): number | undefined {
  return drop ?? (wideOnly ? FIRST : undefined)
}

function subscribeToStacked(listener: () => void): () => void {
  const query = matchMedia(STACKED)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The width under which the table scrolls sideways instead of squeezing its values. */
export function tableMinWidth<Row>(columns: readonly DataColumn<Row>[], hasCheckboxes: boolean): CSSProperties {
  // CSSProperties knows no custom properties; React passes them on as they are.
  return { '--table-min-width': `${minWidthPx(columns, hasCheckboxes)}px` } as CSSProperties
}

function minWidthPx<Row>(columns: readonly DataColumn<Row>[], hasCheckboxes: boolean): number {
  const widths = columns.map(({ width }) => (width?.endsWith('px') === true ? Number.parseInt(width, 10) : FLEXIBLE_MIN_PX))
  return widths.reduce((sum, width) => sum + width, hasCheckboxes ? CHECKBOX_PX : 0)
}
