import type { Command } from 'commander'
import { wholeNumber } from '#platform/cli/arguments.ts'
import { EXIT_FAILED } from '#platform/cli/output.ts'
import { requireSafeSettings } from '../setting-rules.ts'
import type { CliContext } from './cli-context.ts'

type ListenOptions = { host?: string; port?: number }
type UpFlags = ListenOptions & { seed: boolean; worker: boolean; embedded?: boolean }

const MAX_PORT = 65_535

/** Adds `svc up` and `svc serve`. */
export function addProcessCommands(program: Command, { out, config }: CliContext): void {
  withListening(program.command('up'))
    .description('runs everything in one process: database, schema, first administrator, public feeds, API, worker and web interface')
    .option('--no-seed', 'registers no public feeds')
    .option('--no-worker', 'collects nothing')
    .option('--embedded', 'in production too, keeps the data in DATA_DIR when DATABASE_URL is not set')
    .addHelpText('after', '\nExamples:\n  svc up\n  svc up --port 9000 --no-worker\n  DATA_DIR=/srv/svc svc up --host 0.0.0.0')
    .action(async ({ seed, worker, embedded = false, ...listening }: UpFlags) => {
      const settings = withListeningOf(config(), listening)
      requireSafeSettings(settings, { embedded })
      const { up } = await import('../up/up.ts')
      await up(settings, { seed, worker }, out)
    })

  withListening(program.command('serve'))
    .description('runs the API and the web interface only; needs DATABASE_URL and SECRET_KEY')
    .addHelpText('after', '\nExamples:\n  svc serve\n  svc serve --host 0.0.0.0 --port 8080')
    .action(async (listening: ListenOptions) => {
      const settings = withListeningOf(config(), listening)
      requireSafeSettings(settings, { embedded: false })
      const { serve } = await import('../api/main.ts')
      await serve(settings, out)
    })
}

/** Adds `svc feeds worker`. */
export function addWorkerCommand(feeds: Command, context: CliContext): void {
  const { out } = context
  feeds
    .command('worker')
    .description('collects feeds by their schedule, and cleans up daily, until it is stopped')
    .option('--once', 'collects what is due now, then ends; exit code 1 when a collection fails')
    .addHelpText('after', '\nExamples:\n  svc feeds worker\n  svc feeds worker --once')
    .action(async ({ once }: { once?: boolean }) => {
      const config = await context.serviceConfig()
      const { work, workOnce } = await import('../worker/main.ts')
      if (once !== true) return await work(config, context.signal(), out)
      if ((await workOnce(config, context.signal(), out)) > 0) out.exitCode = EXIT_FAILED
    })
}

function withListening(command: Command): Command {
  return command
    .option('--port <number>', 'port of the API; 0 takes a free one', wholeNumber(0, MAX_PORT))
    .option('--host <address>', 'address that the API listens on')
}

function withListeningOf<Settings extends { HOST: string; PORT: number }>(settings: Settings, { host, port }: ListenOptions): Settings {
  return { ...settings, HOST: host ?? settings.HOST, PORT: port ?? settings.PORT }
}
