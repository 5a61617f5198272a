import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type Alert, acknowledgeAlerts } from '../../../api/alerts.ts'
import { toProblem } from '../../../api/problem.ts'
import { notifyProblem } from '../../../ui/notify.ts'

/** How long an acknowledgement can be taken back, ms: the API knows no way back, so that it is told afterwards. Source: design brief, "Triage". */
const HOLD_MS = 10_000

export type HeldAcknowledgements = {
  /** The alerts that can still be taken back. */
  held: readonly Alert[]
  /** Ids of those that leave the queue: held, or on their way to the server. */
  leaving: ReadonlySet<string>
  hold: (alerts: readonly Alert[]) => void
  undo: () => void
}

/** Acknowledgements that wait for a change of mind. The next ones, another page and a closed window send them at once. */
export function useHeldAcknowledgements(): HeldAcknowledgements {
  const client = useQueryClient()
  const [held, setHeld] = useState<readonly Alert[]>([])
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const acts = useMemo(() => {
    let waiting: { ids: string[]; timer: ReturnType<typeof setTimeout> } | undefined
    const takeWaiting = (): string[] => {
      clearTimeout(waiting?.timer)
      const ids = waiting?.ids ?? []
      waiting = undefined
      setHeld([])
      return ids
    }
    const stay = (ids: readonly string[]) => setLeaving((before) => new Set([...before].filter((id) => !ids.includes(id))))
    const send = async (): Promise<void> => {
      const ids = takeWaiting()
      if (ids.length === 0) return
      await acknowledgeAlerts(ids).catch((error: unknown) => notifyProblem(toProblem(error)))
      // Only the list read anew knows which of them have left.
      await client.invalidateQueries({ queryKey: ['alerts'] })
      stay(ids)
    }
    return {
      send,
      hold(alerts: readonly Alert[]): void {
        void send()
        const ids = alerts.map(({ id }) => id)
        waiting = { ids, timer: setTimeout(() => void send(), HOLD_MS) }
        setHeld(alerts)
        setLeaving((before) => new Set([...before, ...ids]))
      },
      undo: () => stay(takeWaiting()),
    }
  }, [client])
  useEffect(() => {
    const send = () => void acts.send()
    globalThis.addEventListener('pagehide', send)
    return () => {
      globalThis.removeEventListener('pagehide', send)
      send()
    }
  }, [acts])
  return { held, leaving, hold: acts.hold, undo: acts.undo }
}
