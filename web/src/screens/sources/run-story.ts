import { deliversNewsOnly, type Run } from '../../api/feeds.ts'
import type { StateName } from '../../ui/state-word.tsx'
import { preciseTime } from '../../ui/time-format.ts'
import { durationWords } from './interval-words.ts'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.story

export type StoryStep = { id: 'fetched' | 'decoded' | 'read' | 'refused' | 'notHeld' | 'stored'; state: StateName; words: string }

export type ToldRun = Omit<Run, 'id' | 'started_at' | 'error' | 'has_error' | 'warning'>

const UNREAD: readonly Run['outcome'][] = ['RUNNING', 'POSTPONED', 'UNCHANGED']

/** What one collection did, step by step, up to where it stopped. @param format of the feed: one that delivers news only tells another story */
export function runStory(run: ToldRun, format: string): StoryStep[] {
  const isCursor = deliversNewsOnly({ format })
  const fetched = fetchedStep(run, isCursor)
  // An unchanged list is counted as a whole, and not read at all.
  if (isEmptyHanded(run) || UNREAD.includes(run.outcome)) return [fetched]
  const stopped = run.outcome === 'PARTIAL' || run.outcome === 'INTERRUPTED'
  return [
    fetched,
    ...decodedStep(run),
    { id: 'read', state: stopped ? 'degraded' : 'ok', words: stopped ? text.stoppedAfter(run.row_count) : text.read(run.row_count) },
    ...(run.unsupported_count === 0
      ? []
      : [{ id: 'notHeld' as const, state: 'off' as const, words: text.notHeld(run.unsupported_count, run.unsupported_by_kind) }]),
    { id: 'refused', state: run.rejected_count === 0 ? 'ok' : 'refused', words: text.refused(run.rejected_count) },
    storedStep(run, isCursor),
  ]
}

function fetchedStep(run: ToldRun, isCursor: boolean): StoryStep {
  const step = (state: StateName, words: string): StoryStep => ({ id: 'fetched', state, words })
  if (run.outcome === 'RUNNING') return step('pending', text.running)
  if (run.outcome === 'POSTPONED') return step('pending', text.postponed)
  if (run.outcome === 'UNCHANGED') return step('ok', isCursor ? text.noNews : text.unchanged(run.updated_count))
  if (isEmptyHanded(run)) return step('degraded', run.outcome === 'FAILED' ? text.nothingRead : text.interrupted)
  return step('ok', isCursor ? text.fetchedNews : text.fetchedList)
}

/** Nothing is said of a run from before these figures were kept. */
function decodedStep({ fetched_bytes: fetched, decoded_bytes: decoded, decoding }: ToldRun): StoryStep[] {
  if (fetched === null || decoded === null) return []
  return [{ id: 'decoded', state: 'ok', words: text.decoded(fetched, decoded, decoding ?? []) }]
}

/** It ended before the first row. */
function isEmptyHanded({ outcome, row_count }: ToldRun): boolean {
  return row_count === 0 && (outcome === 'FAILED' || outcome === 'INTERRUPTED')
}

function storedStep(run: ToldRun, isCursor: boolean): StoryStep {
  if (run.outcome === 'FAILED') return { id: 'stored', state: 'degraded', words: text.nothingStored }
  const named = run.row_count - run.rejected_count - run.unsupported_count
  const repeated = run.outcome === 'SUCCEEDED' ? Math.max(0, named - run.new_count - run.updated_count) : 0
  const gone = isCursor ? text.takenBack(run.gone_count) : text.gone(run.gone_count)
  const words = [
    text.stored(run.new_count, run.updated_count),
    ...(run.gone_count > 0 ? [gone] : []),
    ...(repeated > 0 ? [text.repeated(repeated)] : []),
  ]
  return { id: 'stored', state: 'ok', words: words.join(' ') }
}

/** Who published it and how to find the run again, for the head of the copied text. */
export type StorySource = { name: string; url: string; format: string; homepage: string | null }

/** The whole story as plain text, to be sent to the publisher: refused rows with their lines and reasons, times in UTC. */
export function storyText(source: StorySource, run: Omit<Run, 'has_error'>): string {
  const took = run.duration_ms === null ? '' : `, ${text.took(durationWords(run.duration_ms))}`
  const lines = [
    `${source.name} (${source.format})`,
    source.url,
    ...(source.homepage === null ? [] : [source.homepage]),
    '',
    `${text.title(preciseTime(Date.parse(run.started_at), 'UTC'))}: ${sourcesText.runs.outcome[run.outcome]}${took}`,
    text.run(run.id),
    '',
    ...runStory(run, source.format).map(({ id, words }, index) => `${index + 1}. ${text.steps[id]}: ${words}`),
    ...[run.warning, run.error].filter((words) => words !== null),
    ...refusals(run),
  ]
  // What a publisher wrote may steer a terminal that it is pasted into.
  return `${lines.map((line) => line.replaceAll(/\p{Cc}/gu, '\ufffd')).join('\n')}\n`
}

function refusals({
  rejected_by_code,
  rejected_count,
  rejections,
}: Pick<Run, 'rejected_by_code' | 'rejected_count' | 'rejections'>): string[] {
  if (rejected_count === 0) return []
  return [
    '',
    text.refusedRows,
    ...byCount(rejected_by_code).map(([code, rows]) => `- ${sourcesText.reject(code)} (${code}): ${rows}`),
    ...(rejections.length === 0 ? [] : ['', sourcesText.rejects.examples(rejections.length, rejected_count)]),
    ...rejections.map(({ line, value, reason }) => text.refusedRow(line, value === '' ? sourcesText.rejects.empty : value, reason)),
  ]
}

/** The most first. */
export function byCount(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).toSorted(([, first], [, second]) => second - first)
}
