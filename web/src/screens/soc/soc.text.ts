import { lengthWords } from '../../ui/length-words.ts'

const numbers = new Intl.NumberFormat('en')
const count = (value: number): string => numbers.format(value)
/** Days are those of UTC, whatever zone the reader chose: the service counts by them. */
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', timeZone: 'UTC' })
const fullDay = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })
const length = (ms: number | null): string => (ms === null ? '–' : lengthWords(ms))

/** Every text of SOC steering. */
export const socText = {
  title: 'SOC steering',
  standing: (late: number, open: number) => `${count(late)} ${late === 1 ? 'delay' : 'delays'} broken, ${count(open)} open`,
  csv: 'CSV',
  clocks: {
    title: 'Late now, and due next',
    columns: { severity: 'Severity', title: 'Incident', due: 'Due', level: 'Level', step: 'Step', assignee: 'Assigned to' },
    some: (shown: number, all: number) => `${count(shown)} of ${count(all)} delays that run`,
    showAll: 'Show more of them',
    showFewer: 'Show fewer',
    late: 'All late incidents',
  },
  none: { title: 'No delay runs', next: 'Nothing is open, so no promise of time can break.' },
  empty: {
    title: 'No incident in these days, and none open',
    next: 'Times are measured from the first incident on. Open one from an alert in Triage, from an IOC, or in Incidents; or look further back.',
    triage: 'Go to Triage',
    incidents: 'Go to Incidents',
  },
  periods: 'Period',
  period: (days: number) => `${count(days)} days`,
  range: (from: string, to: string) => `${fullDay.formatRange(new Date(from), new Date(to))}, UTC`,
  takeIn: { title: 'Taken in (MTTA)', explain: 'From the opening to the first assignment or move, of incidents opened in these days.' },
  resolution: {
    title: 'Resolved (MTTR)',
    explain: 'From the opening to the last close, of incidents closed in these days.',
    apart: (falsePositives: number, duplicates: number) =>
      `Not counted: ${count(falsePositives)} closed as false positive, ${count(duplicates)} as duplicate.`,
  },
  delays: {
    mean: 'Mean',
    median: 'Median',
    p90: '90 % within',
    n: 'Incidents',
    length,
    few: (n: number) => `n = ${n} < 5: one incident moves these figures much.`,
    nothing: 'None in these days.',
    legend: { median: 'median', p90: '90 % within', target: 'target' },
    row: ({ median_ms, p90_ms, target_ms, n }: { median_ms: number | null; p90_ms: number | null; target_ms: number; n: number }) =>
      n === 0
        ? `target ${length(target_ms)}, n 0`
        : `median ${length(median_ms)}, 90 % within ${length(p90_ms)}, target ${length(target_ms)}, n ${count(n)}`,
    late: (late: number, total: number) => (total === 0 ? 'none' : `${count(late)} of ${count(total)} late`),
  },
  flow: {
    title: 'Opened and closed',
    opened: 'opened',
    closed: 'closed',
    backlog: 'open at the end',
    asTable: 'As a table',
    asChart: 'As a chart',
    day: (day: string) => dayMonth.format(new Date(day)),
    days: (from: string, to: string) => (from === to ? fullDay.format(new Date(from)) : fullDay.formatRange(new Date(from), new Date(to))),
    bar: (when: string, { opened, reopened, closed, backlog }: Record<'opened' | 'reopened' | 'closed' | 'backlog', number>) =>
      `${when}: ${count(opened)} opened${reopened === 0 ? '' : `, ${count(reopened)} opened again`}, ${count(closed)} closed, ${count(backlog)} open at the end`,
    summary: ({ opened, reopened, closed, most, last }: Record<'opened' | 'reopened' | 'closed' | 'most' | 'last', number>) =>
      `${count(opened)} opened, ${count(reopened)} opened again, ${count(closed)} closed; ${count(last)} open at the end, ${count(most)} at the most`,
    weeks: 'A bar is a week.',
    columns: { when: 'Days, UTC', opened: 'Opened', reopened: 'Opened again', closed: 'Closed', backlog: 'Open at the end' },
  },
  levels: {
    title: 'Levels',
    open: (open: number) => `${count(open)} open`,
    escalated: (incidents: number) => `${count(incidents)} escalated`,
  },
  load: {
    title: 'Load',
    split: (total: number, l1: number, l2: number, l3: number) =>
      `${count(total)} open: ${[
        [l1, 'L1'],
        [l2, 'L2'],
        [l3, 'L3'],
      ]
        .filter(([open]) => open !== 0)
        .map(([open, level]) => `${count(Number(open))} ${level}`)
        .join(', ')}`,
    nothing: 'Nothing is open.',
    scroll: 'Load by analyst',
  },
} as const
