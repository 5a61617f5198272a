import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Config } from '#platform/config/settings.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createServices, type Services } from '../services.ts'
import { DEMO_DAYS, DEMO_FEEDS } from './demo-lists.ts'
import { createMonthStory, DEMO_ANALYSTS } from './month-story.ts'

/** What the demo has filled the base with. */
export type DemoFigures = {
  days: number
  feeds: number
  indicators: number
  cves: number
  alerts: number
  incidents: number
  exclusions: number
  accounts: number
}

/** Hours of the day at which things happen: collections in the morning, people after that. */
const MORNING_HOUR = 6
const WORK_HOUR = 9
const HOURS_PER_DAY = 24

/**
 * Tells a month of fictitious work to an empty base: everything goes through the product's own use cases, with its own clock set back, so that
 * journal, histories and counts are what a real month would have left.
 *
 * @param days of the month that are told, the last of them today
 * @param onDay told how many days are done
 * @throws CannotRun when the base holds data
 */
export async function loadDemo(
  config: Config,
  { now, days = DEMO_DAYS, onDay = () => {} }: { now: Date; days?: number; onDay?(done: number): void },
): Promise<DemoFigures> {
  const start = new Date(Math.floor(now.getTime() / MS_PER_DAY - days) * MS_PER_DAY)
  let moment = start
  const services = await createServices(config, SILENT_LOGGING, 'svc demo', { clock: () => moment })
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
  try {
    await requireEmpty(services)
    const story = createMonthStory(services, { folder, setTime: (at) => (moment = at) })
    await story.begin(start)
    for (let day = 0; day <= days; day++) {
      const at = (hours: number) => new Date(Math.min(start.getTime() + day * MS_PER_DAY + hours * MS_PER_HOUR, now.getTime()))
      await story.morning(day, at(MORNING_HOUR))
      await story.work(day, at(WORK_HOUR))
      // Nothing may have happened in the future.
      await story.goOnUntil(at(HOURS_PER_DAY + MORNING_HOUR))
      onDay(day + 1)
    }
    return { days, ...(await figuresOf(services)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await services.close()
  }
}

async function requireEmpty({ indicators, cves }: Services): Promise<void> {
  const held = { indicators: (await indicators.page({})).items.length, CVEs: (await cves.page({})).items.length }
  for (const [what, count] of Object.entries(held)) {
    if (count > 0)
      throw new CannotRun(
        `This base holds ${what} already; the demo is for an empty one, so that nobody finds made-up values among real ones.`,
        'DATA_DIR=./demo svc up --no-seed, and in a second terminal: DATA_DIR=./demo svc demo load',
      )
  }
}

async function figuresOf({ indicators, cves, alerts, incidentReading, exclusions }: Services): Promise<Omit<DemoFigures, 'days'>> {
  const [held, known, raised, opened, excluded] = await Promise.all([
    indicators.page({}),
    cves.page({}),
    alerts.page({}),
    incidentReading.page({}, undefined),
    exclusions.page({}),
  ])
  return {
    ...{ feeds: DEMO_FEEDS.length, accounts: DEMO_ANALYSTS.length },
    ...{ indicators: held.total, cves: known.total, alerts: raised.total, incidents: opened.total, exclusions: excluded.total },
  }
}
