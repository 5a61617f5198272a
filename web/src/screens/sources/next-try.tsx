import type { Source } from '../../api/feeds.ts'
import { useNowMs } from '../../ui/display.tsx'
import { fullTime, relativeTime } from '../../ui/time-format.ts'
import { sourcesText } from './sources.text.ts'

/** When a source is collected next, and which attempt that is while it fails. */
export function NextTry({ source }: { source: Pick<Source, 'is_active' | 'health'> }) {
  const nowMs = useNowMs()
  const { health, is_active } = source
  if (!is_active) return <span className="svc-dim">{sourcesText.drawer.off}</span>
  const atMs = health?.next_attempt == null ? Number.NaN : Date.parse(health.next_attempt)
  const when = Number.isNaN(atMs) || atMs <= nowMs ? sourcesText.nextNow : sourcesText.nextIn(relativeTime(atMs, nowMs))
  const failures = health?.consecutive_failures ?? 0
  const words = failures === 0 ? when : sourcesText.attempt(failures + 1, when)
  if (Number.isNaN(atMs)) return <span className="svc-dim">{words}</span>
  return (
    <time className="svc-dim" dateTime={health?.next_attempt ?? ''} title={fullTime(atMs)}>
      {words}
    </time>
  )
}
