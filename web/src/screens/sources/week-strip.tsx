import { useMemo } from 'react'
import type { FeedHealth } from '../../api/feeds.ts'
import { useNowMs } from '../../ui/display.tsx'
import { RunStrip } from '../../ui/run-strip.tsx'
import { cellLabel } from './sources.text.ts'

/** Length of one cell, ms. Source: the API's own answer, "28 cells of 6 hours". */
const CELL_MS = 6 * 3_600_000
/** Start times are shown to the minute, so that a label does not change with every second. */
const MINUTE_MS = 60_000

/** Seven days of collections, a cell for each quarter of a day that ends now. */
export function WeekStrip({ strip }: { strip: FeedHealth['strip'] }) {
  const nowMs = Math.floor(useNowMs() / MINUTE_MS) * MINUTE_MS
  const cells = useMemo(
    () =>
      strip.map((outcome, index) => {
        const endMs = nowMs - (strip.length - 1 - index) * CELL_MS
        return { outcome, label: cellLabel(endMs - CELL_MS, endMs) }
      }),
    [strip, nowMs],
  )
  return <RunStrip cells={cells} />
}
