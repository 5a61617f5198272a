import { CommanderError } from 'commander'
import { createOutput, EXIT_USAGE, type Output } from '#platform/cli/output.ts'
import { reportError } from '#platform/cli/report-error.ts'
import { wantsNoColor } from '#platform/config/terminal.ts'
import { createCliContext } from './cli-context.ts'
import { buildProgram } from './program.ts'

/** Runs one command line and gives its exit code. */
export async function runCommandLine(args: readonly string[], out: Output): Promise<number> {
  const context = createCliContext(out)
  try {
    await buildProgram(context).parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) out.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
    else reportError(out, error, args.includes('--debug'))
  } finally {
    await context.close()
  }
  return out.exitCode
}

/** A reader that has seen enough (`| head`) ends the command without a word. */
function endWithReader(error: Error & { code?: string }): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

process.stdout.on('error', endWithReader)
process.exitCode = await runCommandLine(
  process.argv.slice(2),
  createOutput({ stdout: process.stdout, stderr: process.stderr, noColor: wantsNoColor() }),
)
