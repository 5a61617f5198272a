import type { FeedRejection, RunOutcome } from './feeds.model.ts'

/** What a report of one collection needs to know. */
export type ReportedRun = {
  feed: string
  outcome: RunOutcome
  duration_ms: number | null
  fetched_bytes: number | null
  decoded_bytes: number | null
  decoding: readonly string[] | null
  row_count: number
  new_count: number
  updated_count: number
  gone_count: number
  rejected_count: number
  unsupported_count: number
  unsupported_by_kind: Record<string, number>
  rejected_by_code: Record<string, number>
  rejections: readonly FeedRejection[]
  error: string | null
  warning: string | null
}

/** Examples of refused rows in one report. Assumption: enough to see a pattern, short enough to read. */
const EXAMPLES = 10
const VALUE_CHARACTERS = 60

const OUTCOME_WORDS: Record<RunOutcome, string> = {
  RUNNING: 'is being collected',
  SUCCEEDED: 'was collected',
  UNCHANGED: 'has not changed since the last collection',
  PARTIAL: 'was collected in part',
  POSTPONED: 'was postponed, as its publisher asked',
  FAILED: 'could not be collected',
  INTERRUPTED: 'was interrupted',
}

/** One collection in words, a line each. */
export function describeRun(run: ReportedRun): string[] {
  const took = run.duration_ms === null ? '' : ` (${(run.duration_ms / 1000).toFixed(1)} s)`
  const lines = [`"${run.feed}" ${OUTCOME_WORDS[run.outcome]}${took}.`]
  if (run.fetched_bytes !== null && run.row_count > 0)
    lines.push(`  ${run.fetched_bytes} bytes fetched, ${run.decoded_bytes} decoded (${(run.decoding ?? []).join(', ')})`)
  if (run.row_count > 0)
    lines.push(
      `  rows ${run.row_count}: new ${run.new_count}, seen again ${run.updated_count}, gone from the list ${run.gone_count}, rejected ${run.rejected_count}, of a kind not held ${run.unsupported_count}`,
    )
  if (run.unsupported_count > 0) lines.push(`  not held: ${byCount(run.unsupported_by_kind)}`)
  const reasons = Object.entries(run.rejected_by_code).sort(([, first], [, second]) => second - first)
  for (const [code, count] of reasons) lines.push(`  rejected ${count} as ${code}`)
  for (const { line, value, reason } of run.rejections.slice(0, EXAMPLES)) lines.push(`    line ${line}: ${shorten(value)} - ${reason}`)
  const more = run.rejected_count - Math.min(EXAMPLES, run.rejections.length)
  if (run.rejections.length > 0 && more > 0) lines.push(`    and ${more} more`)
  if (run.warning !== null && run.warning !== run.error) lines.push(`  warning: ${run.warning}`)
  if (run.error !== null) lines.push(`  reason: ${run.error}`)
  return lines
}

/** Whether a collection ended without bringing in what it should have. */
export function isFailure(outcome: RunOutcome): boolean {
  return outcome === 'FAILED' || outcome === 'PARTIAL' || outcome === 'INTERRUPTED'
}

/** `malware 3, file:name 1`, the most first. */
function byCount(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([, first], [, second]) => second - first)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')
}

function shorten(value: string): string {
  return value.length <= VALUE_CHARACTERS ? value : `${value.slice(0, VALUE_CHARACTERS - 1)}…`
}
