import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { FeedsService } from '../feeds.service.ts'
import type { Computed, FeedQuality, OneFeedQuality, QualityReport, QualityService } from './quality.service.ts'

export type FeedQualityDeps = {
  services: () => Promise<{ feeds: Pick<FeedsService, 'find'>; quality: QualityService }>
  out: Output
  signal: () => AbortSignal
}
type Flags = { json?: boolean; compute?: boolean }

/** Pairs of feeds that are named below the table. */
const PAIRS = 10
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
const MINUTE_SECONDS = 60

const COLUMNS: Column<FeedQuality>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'holds', of: ({ held }) => held },
  { title: 'only_here', of: (feed) => percent(feed.unique_share) },
  { title: 'first', of: (feed) => percent(feed.first_share) },
  { title: 'lead', of: (feed) => lead(feed.lead_seconds) },
  { title: 'refused', of: (feed) => percent(feed.reject_share) },
  { title: 'churn', of: (feed) => percent(feed.churn_share) },
  { title: 'warned', of: (feed) => percent(feed.warned_share) },
]

/** Adds `svc feeds quality`. */
export function addFeedQualityCommand(feeds: Command, { services, out, signal }: FeedQualityDeps): void {
  feeds
    .command('quality [feed]')
    .description('what each feed is worth: what only it has, what it has first, what is refused; or one feed (name or id) in detail')
    .option('--compute', 'works it out now instead of showing the last report')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc feeds quality\n  svc feeds quality "IPsum level 3"\n  svc feeds quality --compute --json')
    .action(async (name: string | undefined, { json, compute }: Flags) => {
      const { feeds: service, quality } = await services()
      const feed = name === undefined ? undefined : await service.find(name)
      if (compute === true) {
        out.progress('Working the quality of the feeds out…')
        await quality.compute(COMMAND_LINE_ACTOR, signal())
      }
      if (feed === undefined) {
        const report = await quality.report()
        return json === true ? out.json(report) : showReport(report, out)
      }
      const one = await quality.ofFeed(feed.id)
      return json === true ? out.json(one) : showFeed(one, out)
    })
}

function showReport(report: QualityReport, out: Output): void {
  out.table(report.items, COLUMNS)
  for (const line of describePairs(report)) out.note(toPrintable(line))
  noteAge(report, out)
}

function showFeed({ quality, overlaps, warning_lists, ...computed }: OneFeedQuality, out: Output): void {
  if (quality !== null) out.table([quality], COLUMNS)
  for (const { name, shared_count, share } of overlaps)
    out.note(toPrintable(`shares ${shared_count} values with "${name}" (${percent(share)})`))
  for (const { name, hit_count, examples } of warning_lists)
    out.note(
      toPrintable(`${hit_count} values stand on the warning list "${name}", such as ${examples.map(({ value }) => value).join(', ')}`),
    )
  if (quality === null && computed.computed_at !== null) out.note('This feed is newer than the report. Run: svc feeds quality --compute')
  noteAge(computed, out)
}

function noteAge({ computed_at, computing }: Computed, out: Output): void {
  if (computed_at === null) out.note('It has not been worked out yet. Run: svc feeds quality --compute')
  else out.note(`worked out ${computed_at.toISOString()}`)
  if (computing) out.note('A newer report is being worked out.')
}

/** The pairs that share most, measured by the smaller of the two. */
function describePairs({ items, overlap }: QualityReport): string[] {
  const nameOf = new Map(items.map(({ feed_id, name }) => [feed_id, name]))
  const heldOf = new Map(items.map(({ feed_id, held }) => [feed_id, held]))
  const pairs = overlap.feed_ids.flatMap((one, row) =>
    overlap.feed_ids.slice(row + 1).map((other, at) => {
      const shared = overlap.shared[row]?.[row + 1 + at] ?? 0
      const smaller = Math.min(heldOf.get(one) ?? 0, heldOf.get(other) ?? 0)
      return { one, other, shared, share: smaller === 0 ? 0 : shared / smaller }
    }),
  )
  return pairs
    .filter(({ shared }) => shared > 0)
    .sort((first, second) => second.share - first.share)
    .slice(0, PAIRS)
    .map(
      ({ one, other, shared, share }) =>
        `"${nameOf.get(one)}" and "${nameOf.get(other)}" share ${shared} values (${percent(share)} of the smaller)`,
    )
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`
}

/** In the largest unit that leaves a whole part: `+3.5 h` is earlier than the others, `-2.0 d` later. */
function lead(seconds: number | null): string {
  if (seconds === null) return '-'
  const size = Math.abs(seconds)
  const [unit, word] =
    size >= DAY_SECONDS
      ? ([DAY_SECONDS, 'd'] as const)
      : size >= HOUR_SECONDS
        ? ([HOUR_SECONDS, 'h'] as const)
        : ([MINUTE_SECONDS, 'min'] as const)
  return `${seconds < 0 ? '-' : '+'}${(size / unit).toFixed(1)} ${word}`
}
