import { useEffect, useRef, useState } from 'react'
import type { Alert } from '../../../api/alerts.ts'

/** How long a new row is marked, ms. Assumption: long enough to be found on the page. */
const MARKED_MS = 8000

const NOTHING: ReadonlySet<string> = new Set()

/**
 * The alerts that were raised since the queue was read before; another queue (`list`) has no before. What only moved up into the part of the
 * queue that is read is none of them: ids are in the order in which alerts were raised.
 */
export function useNewAlerts(list: string, alerts: readonly Alert[] | undefined): ReadonlySet<string> {
  const before = useRef<{ list: string; ids: ReadonlySet<string> } | undefined>(undefined)
  const [fresh, setFresh] = useState(NOTHING)
  useEffect(() => {
    if (alerts === undefined) return
    const ids = alerts.map(({ id }) => id)
    const known = before.current?.list === list ? before.current.ids : new Set(ids)
    before.current = { list, ids: new Set([...known, ...ids]) }
    const newest = [...known].reduce((latest, id) => (id > latest ? id : latest), '')
    const come = ids.filter((id) => !known.has(id) && id > newest)
    if (come.length === 0) return
    setFresh((marked) => new Set([...marked, ...come]))
    setTimeout(() => setFresh((marked) => new Set([...marked].filter((id) => !come.includes(id)))), MARKED_MS)
  }, [list, alerts])
  return fresh
}
