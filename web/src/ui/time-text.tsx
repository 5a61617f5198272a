import { useDisplay, useNowMs } from './display.tsx'
import { absoluteTime, fullTime, preciseTime, relativeTime } from './time-format.ts'
import { uiText } from './ui.text.ts'

export type TimeTextProps = {
  /** RFC 3339; null or undefined writes `whenMissing`. */
  value: string | null | undefined
  /** `relative` for lists, `absolute` for details, `precise` with seconds, `both` where there is room. */
  form?: 'relative' | 'absolute' | 'precise' | 'both' | undefined
  whenMissing?: string | undefined
}

/** A moment, in the reader's chosen zone; the title always shows UTC and local. */
export function TimeText({ value, form = 'relative', whenMissing = uiText.never }: TimeTextProps) {
  const { timeZone } = useDisplay()
  const nowMs = useNowMs()
  const timeMs = value === null || value === undefined ? Number.NaN : Date.parse(value)
  if (Number.isNaN(timeMs)) return <span style={{ color: 'var(--svc-dim)' }}>{whenMissing}</span>
  const relative = relativeTime(timeMs, nowMs)
  const absolute = absoluteTime(timeMs, timeZone)
  const both = (
    <>
      {absolute} <span className="svc-screen">({relative})</span>
    </>
  )
  const shown = { relative, absolute, precise: preciseTime(timeMs, timeZone), both }[form]
  return (
    <time dateTime={value ?? ''} title={fullTime(timeMs)} style={{ whiteSpace: 'nowrap' }}>
      {shown}
    </time>
  )
}
