import { Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { refreshNow } from '../api/live/keep-live.ts'
import { useLiveState } from '../api/live/live-state.ts'
import { useDisplay } from '../ui/display.tsx'
import classes from './live-pill.module.css'
import { isTicking, liveWords } from './live-words.ts'

const ICONS = { ok: IconCircleCheck, pending: IconClock, degraded: IconAlertTriangle }
const TICK_MS = 1000

/** Whether the page is kept up to date, in words; pressed, it tries again, or reads everything again. */
export function LivePill() {
  const state = useLiveState()
  const { timeZone } = useDisplay()
  const hintId = useId()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    setNowMs(Date.now())
    if (!isTicking(state)) return
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [state])
  const { look, word, spoken, hint } = liveWords(state, nowMs, timeZone)
  const Icon = ICONS[look]
  return (
    <>
      <Tooltip label={hint} multiline maw={280}>
        <button
          type="button"
          className={classes['pill']}
          data-look={look}
          aria-label={word}
          aria-describedby={hintId}
          onClick={() => refreshNow()}
        >
          <Icon size={14} aria-hidden />
          <span className={classes['word']} aria-hidden>
            {word}
          </span>
        </button>
      </Tooltip>
      <span id={hintId} hidden>
        {hint}
      </span>
      <span role="status" className="svc-unseen">
        {spoken}
      </span>
    </>
  )
}
