import type { Alert } from '#domains/alerts/alerts.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { MS_PER_HOUR } from '#kernel/clock.ts'
import type { Services } from '../services.ts'
import { DEMO_COURSES, type DemoDeed } from './demo-incidents.ts'
import { seeded } from './seeded.ts'

/** Every so many days an alert becomes an incident. */
const ALERT_EVERY_DAYS = 4
/** Some nobody has seen yet: the last, and those of these days. */
const isForgotten = (day: number) => day % 11 === 8
/** How long people take, against the course as it is written: some days are quiet, others are not. */
const PACE = { least: 0.4, most: 2.8 } as const

/** What is still to happen to an incident. */
type Planned = { at: Date; id: string; analyst: Actor; second: Actor; deed: DemoDeed }

/** Opens incidents, and lets them take their course as the time goes on. @param setTime sets the clock of the services */
export function createCaseStory({ incidents, indicators }: Pick<Services, 'incidents' | 'indicators'>, setTime: (at: Date) => void) {
  let planned: Planned[] = []

  /** @param about some incidents begin with an alert, when one is open, the others with a value; `second` takes over what is escalated */
  async function open(
    day: number,
    about: { analyst: Actor; second: Actor; at: Date; value: string; alert: Alert | undefined },
  ): Promise<void> {
    const { analyst, second, at, value, alert } = about
    const course = DEMO_COURSES[day % DEMO_COURSES.length]
    const [found] = await indicators.lookup([value])
    if (course === undefined || found?.indicator === null || found?.indicator === undefined) return
    const isAlert = day % ALERT_EVERY_DAYS === 1 && alert !== undefined
    const { id } = await incidents.open(analyst, {
      title: course.title,
      description: 'Made up for a demonstration.',
      severity: course.severity,
      ...(isAlert ? { alert_ids: [alert.id], cve_ids: [alert.cve_id], acknowledge_alerts: true } : { indicator_ids: [found.indicator.id] }),
    })
    if (isForgotten(day)) return
    const pace = PACE.least + (PACE.most - PACE.least) * seeded(500 + day)() ** 2
    const due = (hours: number) => new Date(at.getTime() + hours * pace * MS_PER_HOUR)
    let hasIt = analyst
    for (const deed of course.deeds) {
      planned.push({ at: due(deed.hours), id, analyst: hasIt, second, deed })
      if ('escalate' in deed) hasIt = second
    }
    planned.sort((first, second) => first.at.getTime() - second.at.getTime())
  }

  /** Does what is due by then, each deed at its own time. */
  async function goOnUntil(end: Date): Promise<void> {
    const due = planned.filter(({ at }) => at <= end)
    planned = planned.filter(({ at }) => at > end)
    for (const { at, ...one } of due) {
      setTime(at)
      await perform(one)
    }
  }

  async function perform({ id, analyst, second, deed }: Omit<Planned, 'at'>): Promise<void> {
    if ('comment' in deed) await incidents.comment(analyst, id, deed.comment)
    else if ('action' in deed) await incidents.declareAction(analyst, id, deed.action)
    else if ('take' in deed) await incidents.assign(analyst, { id }, analyst.id ?? null)
    else if ('escalate' in deed)
      await incidents.escalate(analyst, { id }, { reason: deed.escalate, ...(second.id === undefined ? {} : { assignee_id: second.id }) })
    else if ('close' in deed) await incidents.move(analyst, { id }, { to: 'CLOSED', resolution: deed.close, summary: deed.summary })
    else await incidents.move(analyst, { id }, { to: deed.to, ...(deed.because === undefined ? {} : { comment: deed.because }) })
  }

  return { open, goOnUntil }
}
