import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { systemClock } from '#kernel/clock.ts'
import { oneOf } from '#platform/cli/arguments.ts'
import { EXIT_FAILED } from '#platform/cli/output.ts'
import { describeConfig } from '#platform/config/describe-config.ts'
import { VERSION } from '../version.ts'
import type { CliContext } from './cli-context.ts'
import { completionScript, SHELLS, type Shell } from './completion.ts'
import { runChecks } from './status.ts'

type JsonFlag = { json?: boolean }

/** Adds `svc version`, `config`, `status`, `openapi`, `seed` and `completion`. */
export function addOperationCommands(program: Command, context: CliContext): void {
  addDescriptions(program, context)
  addStatus(program, context)
  addSeed(program, context)
  program
    .command('completion')
    .description('prints the completion script of a shell')
    .argument('<shell>', SHELLS.join(', '), oneOf<Shell>(SHELLS))
    .addHelpText('after', '\nExamples:\n  source <(svc completion bash)\n  svc completion fish > ~/.config/fish/completions/svc.fish')
    .action((shell: Shell) => context.out.line(completionScript(program, shell)))
}

function addDescriptions(program: Command, { out, config }: CliContext): void {
  program
    .command('version')
    .description('prints the version')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc version')
    .action(({ json }: JsonFlag) => {
      if (json === true) out.json({ version: VERSION, node: process.versions.node })
      else out.line(VERSION)
    })

  program
    .command('config')
    .description('every setting as it is in effect; of secrets only whether they are set')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc config\n  PORT=9000 svc config --json')
    .action(({ json }: JsonFlag) => {
      const rows = describeConfig(config())
      if (json === true) return out.json({ settings: rows })
      out.table(rows, [
        { title: 'setting', of: ({ setting }) => setting },
        { title: 'value', of: ({ value, present, secret }) => (secret ? (present ? 'present' : 'absent') : value) },
        { title: 'about', of: ({ about }) => about },
      ])
    })

  program
    .command('openapi')
    .description('prints the OpenAPI 3.1 document of the API')
    .addHelpText('after', '\nExample:\n  svc openapi > openapi.json')
    .action(async () => {
      const { describeApi } = await import('../api/openapi.ts')
      out.json(await describeApi())
    })
}

function addStatus(program: Command, context: CliContext): void {
  const { out } = context
  program
    .command('status')
    .description('checks everything the service needs, and says what to do about what is wrong; exit code 1 on problems')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc status\n  svc status --json')
    .action(async ({ json }: JsonFlag) => {
      const checks = await runChecks(context)
      if (checks.some(({ mark }) => mark === 'bad')) out.exitCode = EXIT_FAILED
      if (json === true)
        return out.json({ checks: checks.map(({ name, mark, text, remedy }) => ({ name, state: mark, text, remedy: remedy ?? null })) })
      for (const { name, mark, text, remedy } of checks) out.mark(mark, `${name.padEnd(10)} ${text}`, remedy)
    })
}

function addSeed(program: Command, { services, out }: CliContext): void {
  program
    .command('seed')
    .description('registers the public feeds of the catalogue; those that are there already are left alone')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc seed && svc feeds fetch-all')
    .action(async ({ json }: JsonFlag) => {
      const { db, audit } = await services()
      const { createSeedService } = await import('#domains/feeds/seed.service.ts')
      const { sourcesService } = await import('#domains/indicators/sources.service.ts')
      const { SILENT_LOGGING } = await import('#platform/logging/logger.ts')
      const log = SILENT_LOGGING.for('svc.collector')
      const feeds = await createSeedService({ db, audit, log, clock: systemClock, sources: sourcesService }).seed(COMMAND_LINE_ACTOR)
      if (json === true) return out.json({ items: feeds })
      out.table(feeds, [
        { title: 'name', of: ({ name }) => name },
        { title: 'enabled', of: ({ enabled }) => (enabled ? 'on' : 'off') },
        { title: 'registered', of: ({ added }) => (added ? 'now' : 'before') },
        { title: 'licence', of: ({ licence }) => licence },
      ])
      out.note(
        `${feeds.filter(({ added }) => added).length} registered, ${feeds.filter(({ added }) => !added).length} were there. Those that are off: read their terms, then svc feeds enable <name>`,
      )
    })
}
