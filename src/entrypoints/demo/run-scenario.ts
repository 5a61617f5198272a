import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { ScenarioClient } from './scenario-client.ts'

/** An address that nobody has. Source: RFC 5737. */
const HARMLESS = '198.51.100.250'

/** What a step leaves for those after it. */
type Day = { alert: AlertItem; product: string; vendor: string; indicatorId: string; incident: IncidentItem }
type AlertItem = { id: string; cve_id: string; priority: string; title: string }
type IncidentItem = { id: string; version: number; status: string }

/** One thing that an analyst does, and what came of it, in words. */
export type ScenarioStep = { title: string; words: string }

/** The day went otherwise than the product promises. */
export class ScenarioFailed extends Error {
  override readonly name = 'ScenarioFailed'
}

/**
 * Walks through an analyst's day over the API of a running service: from an open alert to a closed incident.
 *
 * @param value one that the base knows
 * @param onStep told each step when it is done
 * @throws CannotRun when there is nothing to work on, ScenarioFailed when an answer is not what it should be
 */
export async function runScenario(client: ScenarioClient, value: string, onStep: (step: ScenarioStep) => void): Promise<void> {
  const day = createDay(client, value)
  const steps: [string, (so: Day) => Promise<string>][] = [
    ['Look through what is open', day.triage],
    ['Ask why it is urgent', day.explain],
    ['Ask whether it hits what we run', day.judge],
    ['Look up a value from a log', day.lookUp],
    ['Open an incident about both', day.open],
    ['Say what is being done', day.work],
    ['Save over somebody else', day.collide],
    ['Silence a false positive', day.exclude],
    ['Close it', day.close],
    ['Take the report along', day.report],
  ]
  // Filled step by step; each uses what those before it have found.
  const so = {} as Day
  for (const [title, step] of steps) onStep({ title, words: await step(so) })
}

function createDay({ ask }: ScenarioClient, value: string) {
  async function expect<Body>(status: number, [method, path, body]: Parameters<ScenarioClient['ask']>): Promise<Body> {
    const answer = await ask(method, path, body)
    if (answer.status !== status)
      throw new ScenarioFailed(
        `${method} ${path} answered ${answer.status} and not ${status}: ${JSON.stringify(answer.body).slice(0, 300)}`,
      )
    // The shapes are those of openapi.json, which the API's own tests hold.
    return answer.body as Body
  }

  async function move(so: Day, to: string, more: object = {}): Promise<void> {
    const { version } = so.incident
    so.incident = await expect(200, ['POST', `/incidents/${so.incident.id}/transition`, { to, version, ...more }])
  }

  return {
    async triage(so: Day): Promise<string> {
      const { items, total } = await expect<{ items: AlertItem[]; total: number }>(200, ['GET', '/alerts?state=OPEN'])
      const [first] = items
      if (first === undefined) throw new CannotRun('There is no open alert to work on.', 'svc demo load, on an empty base')
      so.alert = first
      return `Open alerts: ${total}. The most urgent: ${first.cve_id} (${first.priority}), ${first.title}`
    },
    async explain(so: Day): Promise<string> {
      type Detail = { score: number; configurations: { nodes: { cpeMatch: { criteria: string }[] }[] }[] }
      const cve = await expect<Detail>(200, ['GET', `/cves/${so.alert.cve_id}`])
      // A CPE name: cpe, 2.3, part, vendor, product, …
      const [, , , vendor = '', product = 'unknown'] = (cve.configurations[0]?.nodes[0]?.cpeMatch[0]?.criteria ?? '').split(':')
      Object.assign(so, { vendor, product })
      return `Its score is ${cve.score} of 100. It is in ${product} of ${vendor}.`
    },
    async judge(so: Day): Promise<string> {
      const asset = { vendor: so.vendor, product: so.product, version: '0.1' }
      const { explanation } = await expect<{ explanation: string }>(200, ['POST', `/cves/${so.alert.cve_id}/verdict`, asset])
      return explanation
    },
    async lookUp(so: Day): Promise<string> {
      const defanged = value.replaceAll('.', '[.]')
      type Found = { items: { status: string; indicator: { id: string; confidence: number; source_count: number } | null }[] }
      const { items } = await expect<Found>(200, ['POST', '/indicators/lookup', { values: [defanged, 'nothing-known.example.com'] }])
      const indicator = items[0]?.indicator
      if (indicator === null || indicator === undefined)
        throw new CannotRun(`${defanged} is not known here.`, 'svc demo load, on an empty base')
      so.indicatorId = indicator.id
      return `${defanged} is known to ${indicator.source_count} sources, confidence ${indicator.confidence}; the other value is ${items[1]?.status}.`
    },
    async open(so: Day): Promise<string> {
      so.incident = await expect(201, [
        'POST',
        '/incidents',
        {
          title: `${so.alert.cve_id} and a call to a controller`,
          severity: 'HIGH',
          alert_ids: [so.alert.id],
          cve_ids: [so.alert.cve_id],
          indicator_ids: [so.indicatorId],
          acknowledge_alerts: true,
        },
      ])
      const { acknowledged_at: at } = await expect<{ acknowledged_at: string | null }>(200, ['GET', `/alerts/${so.alert.id}`])
      if (at === null) throw new ScenarioFailed('The alert was not acknowledged with the incident.')
      return `Incident ${so.incident.id} is open, and the alert acknowledged.`
    },
    async work(so: Day): Promise<string> {
      await move(so, 'ANALYSIS')
      so.incident = await expect(200, ['POST', `/incidents/${so.incident.id}/comments`, { comment: 'One machine, since this morning.' }])
      await move(so, 'CONTAINMENT')
      so.incident = await expect(200, ['POST', `/incidents/${so.incident.id}/actions`, { action: 'Took the machine off the network.' }])
      return `It stands at ${so.incident.status}; the action stands in the timeline as declared.`
    },
    async collide(so: Day): Promise<string> {
      const stale = { version: so.incident.version - 1, severity: 'CRITICAL' }
      const { changes = [] } = await expect<{ changes?: { kind: string }[] }>(409, ['PATCH', `/incidents/${so.incident.id}`, stale])
      return `Refused, and told what happened meanwhile: ${changes.map(({ kind }) => kind).join(', ')}. Nothing is overwritten.`
    },
    async exclude(): Promise<string> {
      const harmless = { value: HARMLESS, reason: 'Our own proxy. (Made up for a demonstration.)', days: 1 }
      const { exclusion } = await expect<{ exclusion: object | null }>(200, ['POST', '/exclusions?dry_run=true', { value: HARMLESS }])
      if (exclusion === null) await expect(200, ['POST', '/exclusions', harmless])
      const { items } = await expect<{ items: { status: string }[] }>(200, ['POST', '/indicators/lookup', { values: [HARMLESS] }])
      if (items[0]?.status !== 'excluded')
        throw new ScenarioFailed(`A lookup calls ${HARMLESS} ${items[0]?.status}, though it is excluded.`)
      return `${HARMLESS} is out of every list and count for a day; a lookup says that it is excluded, by whom and why.`
    },
    async close(so: Day): Promise<string> {
      await move(so, 'ERADICATION')
      await move(so, 'RECOVERY')
      await move(so, 'CLOSED', { resolution: 'TRUE_POSITIVE_IMPACT', summary: 'One machine, installed anew. Nothing else has called.' })
      return `It is ${so.incident.status}, with a summary.`
    },
    async report(so: Day): Promise<string> {
      const text = await expect<string>(200, ['GET', `/incidents/${so.incident.id}/report`])
      return `A document of ${text.split('\n').length} lines, for those who have no account.`
    },
  }
}
