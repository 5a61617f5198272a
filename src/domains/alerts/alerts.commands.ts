import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { wholeNumber } from '#platform/cli/arguments.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { MAX_AGE_HOURS } from './alerts.model.ts'
import type { Alert, AlertsService } from './alerts.service.ts'
import type { DeliveriesService } from './deliveries.service.ts'
import type { DeliveryRow } from './deliveries.store.ts'

export type AlertCommandDeps = {
  alerts: () => Promise<Pick<AlertsService, 'page' | 'find' | 'acknowledgeAll'>>
  deliveries: () => Promise<Pick<DeliveriesService, 'list' | 'replay'>>
  out: Output
}

const COLUMNS: Column<Alert>[] = [
  { title: 'created', of: (alert) => alert.created_at },
  { title: 'cve', of: (alert) => alert.cve_id },
  { title: 'priority', of: ({ priority }) => priority },
  { title: 'score', of: ({ score }) => score },
  { title: 'kev', of: ({ kev, ransomware }) => (ransomware ? 'ransomware' : kev ? 'yes' : '') },
  { title: 'epss', of: ({ epss }) => epss?.toFixed(4) },
  { title: 'state', of: ({ state }) => state },
  { title: 'webhook', of: ({ notification }) => notification },
  { title: 'acknowledged_by', of: (alert) => alert.acknowledged_by },
  { title: 'title', of: ({ title }) => title },
]

const DELIVERY_COLUMNS: Column<DeliveryRow>[] = [
  { title: 'started', of: (delivery) => delivery.started_at },
  { title: 'attempt', of: ({ attempt }) => attempt },
  { title: 'outcome', of: ({ outcome }) => outcome },
  { title: 'status', of: ({ status }) => status },
  { title: 'reason', of: ({ reason }) => reason },
]

type ListOptions = { all?: boolean; priority?: string; kev?: boolean; minAge?: number; cursor?: string; json?: boolean }

/** Adds `alerts` to the commands of `svc cves`. */
export function addAlertCommands(cves: Command, deps: AlertCommandDeps): void {
  const { alerts: service, out } = deps
  const alerts = cves
    .command('alerts')
    .description('alerts that wait for somebody: the highest priority first, and in it what has waited longest')
    .option('--all', 'those that are acknowledged too; newest first')
    .option('--priority <words>', 'P0, P1, P2, P3; several with commas')
    .option('--kev', 'of CVEs that are known to be exploited')
    .option('--min-age <hours>', 'raised at least so many hours ago', wholeNumber(0, MAX_AGE_HOURS))
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText(
      'after',
      '\nExamples:\n  svc cves alerts --priority P0\n  svc cves alerts --all --json\n  svc cves alerts ack CVE-2021-44228',
    )
    .action(async ({ all, priority, kev, minAge, cursor, json }: ListOptions) => {
      const page = await (await service()).page({
        ...(all === true ? {} : { state: 'OPEN', sort: 'URGENCY' }),
        ...(kev === true ? { kev } : {}),
        ...(minAge === undefined ? {} : { min_age_hours: minAge }),
        ...(priority === undefined ? {} : { priority }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      if (json === true) return out.json(page)
      out.table(page.items, COLUMNS)
      out.note(page.total === 0 ? 'No alert waits.' : `${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
  addAcknowledge(alerts, deps)
  addDeliveries(alerts, deps)
  addReplay(alerts, deps)
}

/** `svc cves alerts` has the same option, and takes it wherever it stands. */
function asksForJson(command: Command): boolean {
  return command.optsWithGlobals()['json'] === true
}

const WHICH = 'an alert by its id or its CVE'

function addAcknowledge(parent: Command, { alerts, out }: AlertCommandDeps): void {
  parent
    .command('ack <alerts...>')
    .description('acknowledges alerts, each by its id or its CVE; all of them or, when one is not known, none')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExample:\n  svc cves alerts ack CVE-2021-44228 CVE-2023-34362')
    .action(async (given: string[], _options: object, command: Command) => {
      const service = await alerts()
      const found: Alert[] = []
      for (const each of given) found.push(await service.find(each))
      const result = await service.acknowledgeAll(
        COMMAND_LINE_ACTOR,
        found.map(({ id }) => id),
      )
      if (asksForJson(command)) return out.json(result)
      for (const { cve_id } of result.acknowledged) out.line(`${cve_id} acknowledged`)
      const done = new Set(result.acknowledged.map(({ id }) => id))
      for (const { id, cve_id, acknowledged_by } of found)
        if (!done.has(id)) out.note(`${cve_id} was acknowledged before${acknowledged_by === null ? '' : `, by ${acknowledged_by}`}`)
    })
}

function addDeliveries(parent: Command, { alerts, deliveries, out }: AlertCommandDeps): void {
  parent
    .command('deliveries <alert>')
    .description(`attempts to tell the webhook of ${WHICH}, newest first`)
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExample:\n  svc cves alerts deliveries CVE-2021-44228')
    .action(async (given: string, _options: object, command: Command) => {
      const { id, notification } = await (await alerts()).find(given)
      const items = await (await deliveries()).list(id)
      if (asksForJson(command)) return out.json({ items })
      out.table(items, DELIVERY_COLUMNS)
      out.note(items.length === 0 && notification === 'NONE' ? 'There was no webhook when it was raised.' : `webhook: ${notification}`)
    })
}

function addReplay(parent: Command, { alerts, deliveries, out }: AlertCommandDeps): void {
  parent
    .command('replay <alert>')
    .description(`tells the webhook again of ${WHICH}, with the same id`)
    .addHelpText('after', '\nExample:\n  svc cves alerts replay CVE-2021-44228')
    .action(async (given: string) => {
      const { id, cve_id } = await (await alerts()).find(given)
      await (await deliveries()).replay(COMMAND_LINE_ACTOR, id)
      out.line(`${cve_id} will be told again`)
      out.note(`The worker sends it. See: svc cves alerts deliveries ${cve_id}`)
    })
}
