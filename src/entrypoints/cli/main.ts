import { createOutput } from '#platform/cli/output.ts'
import { wantsNoColor } from '#platform/config/terminal.ts'
import { createCliContext } from './cli-context.ts'
import { runCommandLine } from './run-command-line.ts'

/** A reader that has seen enough (`| head`) ends the command without a word. */
function endWithReader(error: Error & { code?: string }): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

process.stdout.on('error', endWithReader)
const out = createOutput({ stdout: process.stdout, stderr: process.stderr, noColor: wantsNoColor() })
process.exitCode = await runCommandLine(process.argv.slice(2), createCliContext(out))
