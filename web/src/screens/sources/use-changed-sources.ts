import { useEffect, useRef, useState } from 'react'
import type { Source } from '../../api/feeds.ts'
import { sourcesText } from './sources.text.ts'

/** How long a changed row is marked, ms. Assumption: long enough to be found on the page. */
const MARKED_MS = 8000
/** Least time between two announcements, ms. Source: design brief, "Live". */
const ANNOUNCED_EVERY_MS = 10_000

export type ChangedSources = {
  /** Sources that are not as they were a moment ago. */
  changed: ReadonlySet<string>
  /** The same for screen readers, now and then. */
  announcement: string
}

const NOTHING: ReadonlySet<string> = new Set()

/** Which rows have changed since the list was read before. The first list, and new rows, have no before. */
export function useChangedSources(sources: readonly Source[] | undefined): ChangedSources {
  const before = useRef<ReadonlyMap<string, string>>(new Map())
  const untold = useRef(new Set<string>())
  const [changed, setChanged] = useState(NOTHING)
  const [announcement, setAnnouncement] = useState('')
  const announcedAtMs = useRef(0)
  useEffect(() => {
    if (sources === undefined) return
    const differing = sources.filter((source) => (before.current.get(source.id) ?? stampOf(source)) !== stampOf(source))
    before.current = new Map(sources.map((source) => [source.id, stampOf(source)]))
    if (differing.length === 0) return
    for (const { name } of differing) untold.current.add(name)
    const ids = differing.map(({ id }) => id)
    setChanged((marked) => new Set([...marked, ...ids]))
    setTimeout(() => setChanged((marked) => new Set([...marked].filter((id) => !ids.includes(id)))), MARKED_MS)
    const waitMs = Math.max(0, announcedAtMs.current + ANNOUNCED_EVERY_MS - Date.now())
    setTimeout(() => {
      if (untold.current.size === 0) return
      announcedAtMs.current = Date.now()
      setAnnouncement(sourcesText.changed([...untold.current]))
      untold.current.clear()
    }, waitMs)
  }, [sources])
  return { changed, announcement }
}

/** What a reader would see change. */
function stampOf({ version, status, health }: Source): string {
  const run = health?.last_run
  return `${version} ${status} ${run?.id ?? ''} ${run?.outcome ?? ''}`
}
