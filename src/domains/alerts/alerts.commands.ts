import type { Command } from 'commander'
import type { Column, Output } from '#platform/cli/output.ts'
import type { Alert, AlertsService } from './alerts.service.ts'

export type AlertCommandDeps = { alerts: () => Promise<Pick<AlertsService, 'page'>>; out: Output }

const COLUMNS: Column<Alert>[] = [
  { title: 'created', of: (alert) => alert.created_at },
  { title: 'cve', of: (alert) => alert.cve_id },
  { title: 'priority', of: ({ priority }) => priority },
  { title: 'score', of: ({ score }) => score },
  { title: 'state', of: ({ state }) => state },
  { title: 'webhook', of: ({ notification }) => notification },
  { title: 'acknowledged_by', of: (alert) => alert.acknowledged_by },
  { title: 'title', of: ({ title }) => title },
]

/** Adds `alerts` to the commands of `svc cves`. */
export function addAlertCommands(cves: Command, { alerts, out }: AlertCommandDeps): void {
  cves
    .command('alerts')
    .description('alerts that wait for somebody, newest first')
    .option('--all', 'those that are acknowledged too')
    .option('--priority <words>', 'P0, P1, P2, P3; several with commas')
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc cves alerts --priority P0\n  svc cves alerts --all --json')
    .action(async ({ all, priority, cursor, json }: { all?: boolean; priority?: string; cursor?: string; json?: boolean }) => {
      const page = await (await alerts()).page({
        ...(all === true ? {} : { state: 'OPEN' }),
        ...(priority === undefined ? {} : { priority }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      if (json === true) return out.json(page)
      out.table(page.items, COLUMNS)
      out.note(page.total === 0 ? 'No alert waits.' : `${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
}
