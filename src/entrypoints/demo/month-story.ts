import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Actor, COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import type { Services } from '../services.ts'
import { createCaseStory } from './case-story.ts'
import { demoCatalogue, demoRecords, demoScores } from './demo-cves.ts'
import { DEMO_FEEDS, DEMO_VALUES } from './demo-lists.ts'

export const DEMO_ANALYSTS = ['demo-amina', 'demo-jonas', 'demo-priya'] as const
/** What turned out to be harmless, and on which day. */
const EXCLUDED_ON: Readonly<Record<number, { value: string; kind?: string; reason: string; days?: number }>> = {
  2: { value: '192.0.2.17', reason: 'Our own scanner.' },
  9: { value: 'parcel-1.citypost.example.net', kind: 'DOMAIN', reason: 'The real parcel service; a list had it by mistake.', days: 90 },
  16: { value: '203.0.113.240/30', kind: 'NETWORK', reason: 'Addresses of a partner.' },
}
/** Of the open alerts of a day, those that nobody gets to. */
const LEFT_OPEN = 6

/** @param setTime sets the clock of the services */
export function createMonthStory(services: Services, { folder, setTime }: { folder: string; setTime(at: Date): void }) {
  const analysts: Actor[] = []
  const cases = createCaseStory(services, setTime)
  const feedIds = new Map<string, string>()
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  /** People, publishers, and what was known before. */
  async function begin(start: Date): Promise<void> {
    for (const username of DEMO_ANALYSTS) {
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
    setTime(date)
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

  /** What people do: they hand in what they have seen, open an incident about it, and look through the alerts. */
  async function work(day: number, date: Date): Promise<void> {
    setTime(date)
    const analyst = analysts[day % analysts.length]
    const second = analysts[(day + 1) % analysts.length]
    const seen = DEMO_VALUES[day % DEMO_VALUES.length]
    if (analyst === undefined || second === undefined || seen === undefined) return
    const description = 'Seen in the proxy log of the second floor. (Made up for a demonstration.)'
    await services.indicators.submit(analyst, [{ value: seen, severity: 'HIGH', tags: ['seen-here'], description }])
    const harmless = EXCLUDED_ON[day]
    if (harmless !== undefined) await services.exclusions.exclude(analyst, harmless)
    const { items } = await services.alerts.page({ state: 'OPEN' })
    await cases.open(day, { analyst, second, at: date, value: seen, alert: items[0] })
    await services.alerts.acknowledgeAll(
      analyst,
      items.slice(LEFT_OPEN).map(({ id }) => id),
    )
  }

  return { begin, morning, work, goOnUntil: cases.goOnUntil }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
