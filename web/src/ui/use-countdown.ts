import { useEffect, useState } from 'react'

const TICK_MS = 1000

/** Whole seconds until `endMs` (ms since the epoch), counted down on screen; 0 once it is over, or without an end. */
export function useCountdown(endMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (endMs === undefined) return
    setNowMs(Date.now())
    const timer = setInterval(() => {
      setNowMs(Date.now())
      if (Date.now() >= endMs) clearInterval(timer)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [endMs])
  return endMs === undefined ? 0 : Math.max(0, Math.ceil((endMs - nowMs) / TICK_MS))
}
