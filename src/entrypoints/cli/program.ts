import { Command } from 'commander'
import { addAccountCommands } from '#domains/accounts/accounts.commands.ts'
import { addAlertCommands } from '#domains/alerts/alerts.commands.ts'
import { addAuditCommands } from '#domains/audit/audit.commands.ts'
import { addExclusionCommands } from '#domains/exclusions/exclusions.commands.ts'
import { addFeedCommands } from '#domains/feeds/feeds.commands.ts'
import { addFeedFetchCommands } from '#domains/feeds/fetch.commands.ts'
import { addFeedQualityCommand } from '#domains/feeds/quality/quality.commands.ts'
import { addTaxiiCommands } from '#domains/feeds/taxii/taxii.commands.ts'
import { addIncidentCommands } from '#domains/incidents/incidents.commands.ts'
import { addIndicatorCommands } from '#domains/indicators/indicators.commands.ts'
import { addSocMetricsCommand } from '#domains/soc/soc.commands.ts'
import { addCveCommands } from '#domains/vulnerabilities/cves.commands.ts'
import { addCveSyncCommand } from '#domains/vulnerabilities/cves-sync.commands.ts'
import { addEvaluateCommand } from '#domains/vulnerabilities/evaluate.commands.ts'
import { addProductAliasCommands } from '#domains/vulnerabilities/product-aliases.commands.ts'
import { addWarningListCommands } from '#domains/warning-lists/warning-lists.commands.ts'
import { VERSION } from '../version.ts'
import type { CliContext } from './cli-context.ts'
import { addDatabaseCommands } from './db-commands.ts'
import { addDemoCommands } from './demo-commands.ts'
import { addOperationCommands } from './operation-commands.ts'
import { addProcessCommands, addWorkerCommand } from './process-commands.ts'

/** The command line with every command, by hand. */
export function buildProgram(context: CliContext): Command {
  const { out, services } = context
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
  addProcessCommands(program, context)
  addOperationCommands(program, context)
  addDatabaseCommands(program, context)
  addDemoCommands(program, context)
  addAccountCommands(program, { accounts: async () => (await services()).accounts, out })
  addAuditCommands(program, { journal: async () => (await services()).journal, signal: () => context.signal(), out })
  const feedDeps = { services, out, signal: () => context.signal() }
  const feeds = addFeedCommands(program, feedDeps)
  addFeedFetchCommands(feeds, feedDeps)
  addFeedQualityCommand(feeds, feedDeps)
  addWorkerCommand(feeds, context)
  addTaxiiCommands(program, { taxii: async () => (await services()).taxii, signal: () => context.signal(), out })
  addWarningListCommands(program, { lists: async () => (await services()).warningLists, out })
  const soc = addExclusionCommands(program, {
    exclusions: async () => (await services()).exclusions,
    lists: async () => (await services()).warningLists,
    out,
  })
  addSocMetricsCommand(soc, { soc: async () => (await services()).soc, out })
  const cves = addCveCommands(program, {
    cves: async () => (await services()).cves,
    imports: async () => (await services()).cvesImport,
    scores: async () => (await services()).cveScores,
    affected: async () => (await services()).cvesAffected,
    signal: () => context.signal(),
    out,
  })
  addEvaluateCommand(program, { out })
  addIndicatorCommands(program, {
    indicators: async () => (await services()).indicators,
    feedIdOf: async (nameOrId) => (await (await services()).feeds.find(nameOrId)).id,
    out,
  })
  addCveSyncCommand(cves, { sync: async () => (await services()).cvesSync, signal: () => context.signal(), out })
  addProductAliasCommands(cves, { aliases: async () => (await services()).productAliases, out })
  addAlertCommands(cves, {
    alerts: async () => (await services()).alerts,
    deliveries: async () => (await services()).deliveries,
    out,
  })
  addIncidentCommands(program, {
    incidents: async () => (await services()).incidents,
    reading: async () => (await services()).incidentReading,
    out,
  })
  return program
}
