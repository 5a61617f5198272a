import type { Command } from 'commander'
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '#kernel/clock.ts'
import { wholeNumber } from '#platform/cli/arguments.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { DAYS_DEFAULT, DAYS_MAX, type RunningClock, type SeverityDelays } from './soc.model.ts'
import type { SocService } from './soc.service.ts'
import { toSocCsv } from './soc-csv.ts'

const DELAY_COLUMNS: Column<SeverityDelays & { clock: string }>[] = [
  { title: 'clock', of: ({ clock }) => clock },
  { title: 'severity', of: ({ severity }) => severity },
  { title: 'n', of: ({ n }) => n },
  { title: 'mean', of: (row) => duration(row.mean_ms) },
  { title: 'median', of: (row) => duration(row.median_ms) },
  { title: 'p90', of: (row) => duration(row.p90_ms) },
  { title: 'target', of: (row) => duration(row.target_ms) },
  { title: 'breached', of: ({ breached, total }) => `${breached} of ${total}` },
]
const CLOCK_COLUMNS: Column<RunningClock>[] = [
  { title: 'clock', of: ({ clock }) => clock },
  { title: 'left', of: (row) => (row.remaining_ms < 0 ? `-${duration(-row.remaining_ms)}` : duration(row.remaining_ms)) },
  { title: 'severity', of: ({ severity }) => severity },
  { title: 'level', of: ({ level }) => level },
  { title: 'assignee', of: ({ assignee }) => assignee },
  { title: 'title', of: ({ title }) => title },
  { title: 'id', of: (row) => row.incident_id },
]

/** Adds `svc soc metrics` to `svc soc`. */
export function addSocMetricsCommand(command: Command, { soc, out }: { soc: () => Promise<SocService>; out: Output }): void {
  command
    .command('metrics')
    .description('how long incidents wait, which promises are broken and which break next, load and flow')
    .option('--days <n>', `days of the period, today included; ${DAYS_DEFAULT} when not said`, wholeNumber(1, DAYS_MAX), DAYS_DEFAULT)
    .option('--json', 'as JSON, in the shape of the API')
    .option('--csv', 'as CSV, one figure a line')
    .addHelpText('after', '\nExamples:\n  svc soc metrics --days 7\n  svc soc metrics --csv > soc.csv')
    .action(async ({ days, json, csv }: { days: number; json?: boolean; csv?: boolean }) => {
      const metrics = await (await soc()).metrics(days)
      if (json === true) return out.json(metrics)
      if (csv === true) return out.line(toSocCsv(metrics).trimEnd())
      const { take_in, resolution, breaches, next, open, escalations, load } = metrics
      out.line(`breached now: take-in ${breaches.take_in}, resolution ${breaches.resolution}; open ${open.total}`)
      out.table([...breaches.items, ...next], CLOCK_COLUMNS)
      out.line('')
      for (const [name, { n, mean_ms, median_ms, p90_ms }] of [['MTTA', take_in] as const, ['MTTR', resolution] as const])
        out.line(`${name} mean ${duration(mean_ms)}, median ${duration(median_ms)}, p90 ${duration(p90_ms)}, n ${n}`)
      out.table(
        [
          ...take_in.by_severity.map((row) => ({ clock: 'TAKE_IN', ...row })),
          ...resolution.by_severity.map((row) => ({ clock: 'RESOLUTION', ...row })),
        ],
        DELAY_COLUMNS,
      )
      out.line('')
      out.line(`escalations: ${escalations.map(({ level, count }) => `to ${level} ${count}`).join(', ')}`)
      out.table(load, [
        { title: 'analyst', of: ({ analyst }) => analyst ?? '(nobody)' },
        { title: 'open', of: ({ total }) => total },
        { title: 'L1', of: ({ l1 }) => l1 },
        { title: 'L2', of: ({ l2 }) => l2 },
        { title: 'L3', of: ({ l3 }) => l3 },
      ])
    })
}

/** `45 min`, `3.5 h`, `2.1 d`; a dash over nothing. */
function duration(ms: number | null): string {
  if (ms === null) return '-'
  if (ms < MS_PER_HOUR) return `${Math.round(ms / MS_PER_MINUTE)} min`
  if (ms < 2 * MS_PER_DAY) return `${(ms / MS_PER_HOUR).toFixed(1)} h`
  return `${(ms / MS_PER_DAY).toFixed(1)} d`
}
