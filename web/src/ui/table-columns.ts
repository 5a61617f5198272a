import { type CSSProperties, useSyncExternalStore } from 'react'
import type { DataColumn } from './data-table.types.ts'

/** Below this, columns marked `wideOnly` are left out. Assumption: a 1366 px laptop shows all beside the rail, a tablet does not. */
const NARROW = '(max-width: 1100px)'
/** What a column without a width needs to stay readable, px. Assumption: about 24 characters in mono. */
const FLEXIBLE_MIN_PX = 200
const CHECKBOX_PX = 40

/** The columns that have room; left out of the page altogether, since hidden cells would upset the spans of others. */
export function useVisibleColumns<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  const narrow = useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
  return narrow ? columns.filter((column) => column.wideOnly !== true) : columns
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The width under which the table scrolls sideways instead of squeezing its values. */
export function tableMinWidth<Row>(columns: readonly DataColumn<Row>[], hasCheckboxes: boolean): CSSProperties {
  const widths = columns.map((column) => (column.width?.endsWith('px') === true ? Number.parseInt(column.width, 10) : FLEXIBLE_MIN_PX))
  const total = widths.reduce((sum, width) => sum + width, hasCheckboxes ? CHECKBOX_PX : 0)
  // CSSProperties knows no custom properties; React passes them on as they are.
  return { '--table-min-width': `${total}px` } as CSSProperties
}
