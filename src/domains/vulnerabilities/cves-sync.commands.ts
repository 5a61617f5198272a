import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { oneOf } from '#platform/cli/arguments.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { type CvesSyncService, SOURCE_ORDER, type SourceReport } from './cves-sync.service.ts'
import type { CveSourceName } from './scores.store.ts'

export type CveSyncCommandDeps = { sync: () => Promise<CvesSyncService>; signal: () => AbortSignal; out: Output }

const COLUMNS: Column<SourceReport>[] = [
  { title: 'source', of: ({ source }) => source },
  { title: 'records', of: ({ records }) => records },
  { title: 'new', of: ({ created }) => created },
  { title: 'changed', of: ({ updated }) => updated },
  { title: 'removed', of: ({ removed }) => removed },
  { title: 'error', of: ({ error }) => error },
]

/** Adds `sync` to the commands of `svc cves`. Exit code 1 when a source has failed. */
export function addCveSyncCommand(cves: Command, { sync, signal, out }: CveSyncCommandDeps): void {
  cves
    .command('sync')
    .description('brings CVEs, KEV and EPSS up to date now; the first time tells nobody')
    .option('--only <source>', SOURCE_ORDER.join(', ').toLowerCase(), oneOf<CveSourceName>(SOURCE_ORDER))
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc cves sync\n  svc cves sync --only kev')
    .action(async ({ only, json }: { only?: CveSourceName; json?: boolean }) => {
      const report = await (await sync()).sync(COMMAND_LINE_ACTOR, {
        ...(only === undefined ? {} : { only: [only] }),
        signal: signal(),
        onProgress: ({ source, records, total }) =>
          out.progress(`${source}: ${records} records read${total === undefined ? '' : `, ${total} in this window`}`),
      })
      out.progress('')
      if (report.sources.some(({ error }) => error !== null)) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(report)
      out.table(report.sources, COLUMNS)
      out.note(`${report.alerts} alert(s) raised`)
    })
}
