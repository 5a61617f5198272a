import { CommanderError } from 'commander'
import { EXIT_USAGE } from '#platform/cli/output.ts'
import { reportError } from '#platform/cli/report-error.ts'
import type { CliContext } from './cli-context.ts'
import { buildProgram } from './program.ts'

/** Runs one command line and gives its exit code. Closes the context in each case. */
export async function runCommandLine(args: readonly string[], context: CliContext): Promise<number> {
  const { out } = context
  try {
    const program = buildProgram(context)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) out.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
    else reportError(out, error, args.includes('--debug'))
  } finally {
    await context.close()
  }
  return out.exitCode
}
