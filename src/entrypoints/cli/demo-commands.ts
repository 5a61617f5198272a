import type { Command } from 'commander'
import type { CliContext } from './cli-context.ts'

/** Adds `svc demo load`. */
export function addDemoCommands(program: Command, context: CliContext): void {
  const { out } = context
  const demo = program.command('demo').description('fictitious data, to look around without a network')
  demo
    .command('load')
    .description('fills an empty base with a made-up month of work: lists, CVEs, alerts, and what was done about them')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  DATA_DIR=./demo svc up --no-seed\n  DATA_DIR=./demo svc demo load')
    .action(async ({ json }: { json?: boolean }) => {
      const config = await context.serviceConfig()
      await context.services()
      const { loadDemo } = await import('../demo/load-demo.ts')
      const { DEMO_DAYS } = await import('../demo/demo-lists.ts')
      const figures = await loadDemo(config, {
        now: new Date(),
        onDay: (done) => out.progress(`Day ${done} of ${DEMO_DAYS + 1}…`),
      })
      out.progress('')
      if (json === true) return out.json(figures)
      out.line(
        `A month is told: ${figures.indicators} indicators of ${figures.feeds} lists, ${figures.cves} CVEs, ${figures.alerts} alerts, ${figures.incidents} incidents, ${figures.accounts} accounts.`,
      )
      out.note(
        'All of it is made up: names end in example.com, example.net and example.org, CVEs are of the year 2099. The accounts have random passwords; svc users set-password gives them others.',
      )
    })
}
