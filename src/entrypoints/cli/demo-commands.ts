import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import { EXIT_FAILED } from '#platform/cli/output.ts'
import { findRuntime } from '../up/runtime-file.ts'
import type { CliContext } from './cli-context.ts'

/** Adds `svc demo load` and `svc demo scenario`. */
export function addDemoCommands(program: Command, context: CliContext): void {
  const { out } = context
  const demo = program.command('demo').description('fictitious data, to look around without a network')
  addScenario(demo, context)
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
        `A month is told: ${figures.indicators} indicators of ${figures.feeds} lists, ${figures.cves} CVEs, ${figures.alerts} alerts, ${figures.incidents} incidents, ${figures.exclusions} exclusions, ${figures.accounts} accounts.`,
      )
      out.note(
        'All of it is made up: names end in example.com, example.net and example.org, CVEs are of the year 2099. The accounts have random passwords; svc users set-password gives them others.',
      )
    })
}

function addScenario(demo: Command, context: CliContext): void {
  const { out } = context
  demo
    .command('scenario')
    .description("walks through an analyst's day over the API of the running service; exit code 2 when there is nothing to walk through")
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  DATA_DIR=./demo svc demo load\n  DATA_DIR=./demo svc demo scenario')
    .action(async ({ json }: { json?: boolean }) => {
      const running = findRuntime(resolve(context.config().DATA_DIR))
      if (running === undefined)
        throw new CannotRun('No service is running on this data folder.', 'DATA_DIR=./demo svc up --no-seed, then this command again')
      const { accounts } = await context.services()
      const { createScenarioClient } = await import('../demo/scenario-client.ts')
      const { runScenario, ScenarioFailed } = await import('../demo/run-scenario.ts')
      const { DEMO_VALUES } = await import('../demo/demo-lists.ts')
      const { openDemoAnalyst } = await import('../demo/demo-analyst.ts')
      const steps: { title: string; words: string }[] = []
      const account = await openDemoAnalyst(accounts)
      const client = createScenarioClient(running.url)
      try {
        await client.logIn(account.username, account.password)
        await runScenario(client, DEMO_VALUES[0] ?? '', (step) => {
          steps.push(step)
          if (json !== true) out.mark('good', `${step.title.padEnd(34)} ${step.words}`)
        })
      } catch (error) {
        if (!(error instanceof ScenarioFailed)) throw error
        out.mark('bad', error.message)
        out.exitCode = EXIT_FAILED
      } finally {
        await client.logOut()
        await account.end()
      }
      if (json === true) out.json({ steps })
    })
}
