import { Command } from 'commander'
import { VERSION } from '../version.ts'
import type { CliContext } from './cli-context.ts'
import { addProcessCommands } from './process-commands.ts'

/** The command line with every command, by hand. */
export function buildProgram(context: CliContext): Command {
  const { out } = context
  const program = new Command('svc')
    .description('Threat-intelligence monitoring: collects indicators from feeds, scores them, and says what is known of a value.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.line(text.trimEnd()),
      writeErr: (text) => out.note(text.trimEnd()),
      outputError: (text, write) => write(`${text.trimEnd()}\n`),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('next: the same command with --help shows its arguments and examples')
    .helpCommand('help [command]', 'shows the help of a command')
    .version(VERSION, '-V, --version', 'prints the version')
    .option('--debug', 'shows where an unexpected error happened')
  program.enablePositionalOptions(false)
  addProcessCommands(program, context)
  return program
}
