import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Config } from '#platform/config/settings.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createServices, type Services } from '../services.ts'
import { demoCatalogue, demoRecords, demoScores } from './demo-cves.ts'
import { DEMO_DAYS, DEMO_FEEDS, DEMO_VALUES } from './demo-lists.ts'

/** What the demo has filled the base with. */
export type DemoFigures = { days: number; feeds: number; indicators: number; cves: number; alerts: number; accounts: number }

const ANALYSTS = ['demo-amina', 'demo-jonas', 'demo-priya'] as const
/** Hours of the day at which things happen: collections in the morning, people after that. */
const MORNING_HOUR = 6
const WORK_HOUR = 9
/** Of the open alerts of a day, those that nobody gets to. */
const LEFT_OPEN = 3

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
    const story = createStory(services, folder)
    await story.begin(start)
    for (let day = 0; day <= days; day++) {
      const midnight = new Date(start.getTime() + day * MS_PER_DAY)
      const at = (hours: number) => {
        // The last day ends now: nothing may have happened in the future.
        moment = new Date(Math.min(midnight.getTime() + hours * MS_PER_HOUR, now.getTime()))
        return moment
      }
      await story.morning(day, at(MORNING_HOUR))
      at(WORK_HOUR)
      await story.work(day)
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

async function figuresOf({ indicators, cves, alerts }: Services): Promise<Omit<DemoFigures, 'days'>> {
  const [held, known, raised] = await Promise.all([indicators.page({}), cves.page({}), alerts.page({})])
  return { feeds: DEMO_FEEDS.length, accounts: ANALYSTS.length, indicators: held.total, cves: known.total, alerts: raised.total }
}

function createStory(services: Services, folder: string) {
  const analysts: Actor[] = []
  const feedIds = new Map<string, string>()
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  /** People, publishers, and what was known before. */
  async function begin(start: Date): Promise<void> {
    for (const username of ANALYSTS) {
      const { id } = await services.accounts.createUser(COMMAND_LINE_ACTOR, { username, role: 'ANALYST' })
      analysts.push({ id, name: username, role: 'ANALYST' })
    }
    for (const { listOn: _, ...feed } of DEMO_FEEDS) {
      // Off: there is nobody at its address.
      const { id } = await services.feeds.create(COMMAND_LINE_ACTOR, { ...feed, format: 'CSV', is_active: false })
      feedIds.set(feed.name, id)
    }
    const records = fileOf('records.json', demoRecords(start))
    const options = { onlyKnown: false, signal: new AbortController().signal, onProgress: () => {} }
    const { error } = await services.cvesImport.importFile(COMMAND_LINE_ACTOR, records, options)
    if (error !== null) throw new Error(`The records of the demo were refused: ${error}`)
  }

  /** What arrives: lists, scores, catalogue. The first day is the base line, of which nobody is told. */
  async function morning(day: number, date: Date): Promise<void> {
    for (const { name, listOn } of DEMO_FEEDS) {
      const file = fileOf('list.csv', listOn(day))
      await services.collect.collect(COMMAND_LINE_ACTOR, feedIds.get(name) ?? '', { file })
    }
    const silent = day === 0
    const signal = new AbortController().signal
    await services.cveScores.applyEpssScores(once(demoScores(day, date)), { silent, signal })
    const catalogue = demoCatalogue(day, date)
    if (!catalogue.includes('"count":0')) await services.cveScores.applyKevCatalogue(once(catalogue), { silent })
    await transact(services.db, SILENT_LOGGING.for('svc.cve'), async (tx) => await services.crossings.raise(tx))
  }

  /** What people do: they hand in what they have seen, and look through the alerts. */
  async function work(day: number): Promise<void> {
    const analyst = analysts[day % analysts.length]
    if (analyst === undefined) return
    const seen = DEMO_VALUES[day % DEMO_VALUES.length]
    if (day % 3 === 0 && seen !== undefined) {
      const description = 'Seen in the proxy log of the second floor. (Made up for a demonstration.)'
      await services.indicators.submit(analyst, [{ value: seen, severity: 'HIGH', tags: ['seen-here'], description }])
    }
    const { items } = await services.alerts.page({ state: 'OPEN' })
    await services.alerts.acknowledgeAll(
      analyst,
      items.slice(LEFT_OPEN).map(({ id }) => id),
    )
  }

  return { begin, morning, work }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
