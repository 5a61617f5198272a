import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { StreamMessage } from './event-stream.ts'

/** What an event makes out of date: `shown` is read again at once where it is on screen, `later` when somebody goes there next. */
export type Outdated = { shown: readonly QueryKey[]; later: readonly QueryKey[] }

/** By event. What it carries decides about nothing: every figure on screen comes from the API. Source: design brief, 2.8. */
const OUTDATED: Readonly<Record<string, Outdated>> = {
  // The queue marks what is new, and its cursor stays on its alert.
  'alert.created': { shown: [['alerts']], later: [['cves']] },
  'alert.acknowledged': { shown: [['alerts']], later: [] },
  // What was excluded has to go from every screen at once.
  'exclusions.changed': { shown: [['indicators'], ['exclusions']], later: [['feeds', 'quality']] },
  'incident.created': { shown: [['incidents']], later: [['cves']] },
  // What somebody writes stands in its own box, so that reading again overwrites nothing.
  'incident.updated': { shown: [['incidents']], later: [['cves']] },
  // The IOC list stays as it is: rows must not move under the cursor.
  'feed.collected': { shown: [['feeds', 'sources']], later: [['indicators'], ['feeds', 'quality']] },
}

export function outdatedBy({ name }: StreamMessage): Outdated | undefined {
  return Object.hasOwn(OUTDATED, name) ? OUTDATED[name] : undefined
}

/** How long events are gathered, ms: many feeds are due at the same minute. Assumption: a reader does not notice it. */
const GATHER_MS = 400
/** Over how long a full refresh is spread, ms. Source: design brief, 2.8. */
const SPREAD_MS = 2000

export type Refresher = { onEvent: (event: StreamMessage) => void; everything: () => void }

/** Has the screen read again what is out of date. */
export function createRefresher(client: QueryClient): Refresher {
  const gathered = new Map<string, QueryKey>()
  let isGathering = false

  function flush(): void {
    isGathering = false
    for (const queryKey of gathered.values()) void client.invalidateQueries({ queryKey, refetchType: refetchType() })
    gathered.clear()
  }

  return {
    onEvent(event) {
      const outdated = outdatedBy(event)
      if (outdated === undefined) return
      for (const queryKey of outdated.later) void client.invalidateQueries({ queryKey, refetchType: 'none' })
      for (const queryKey of outdated.shown) gathered.set(JSON.stringify(queryKey), queryKey)
      if (isGathering) return
      isGathering = true
      setTimeout(flush, GATHER_MS)
    },
    everything() {
      void client.invalidateQueries({ refetchType: 'none' })
      if (refetchType() === 'none') return
      for (const { queryKey } of client.getQueryCache().findAll({ type: 'active' })) {
        // Every browser hears of an outage at the same moment.
        setTimeout(() => void client.refetchQueries({ queryKey, exact: true, type: 'active', stale: true }), Math.random() * SPREAD_MS)
      }
    },
  }
}

/** A tab that nobody sees reads again when somebody comes back to it. */
function refetchType(): 'active' | 'none' {
  return document.visibilityState === 'hidden' ? 'none' : 'active'
}
