import { relativeLength } from './interval-words.ts'
import { count, plural } from './sources.text.ts'

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** `12.3%`; a share that is not nothing is never written as 0%. @param share 0 to 1 */
export function percent(share: number): string {
  return share > 0 && share < 0.001 ? '<0.1%' : PERCENT.format(share)
}

/** Every text of the quality report. */
export const qualityText = {
  tab: 'Quality',
  title: 'Quality of sources',
  computed: 'Worked out',
  computing: 'A newer report is being worked out',
  compute: 'Work out again',
  begun: 'The report is being worked out',
  alreadyComputing: 'It is being worked out at this moment',
  measured: (part: number, whole: number) => `${count(part)} of ${count(whole)}`,
  nothing: 'no data',
  lead: (seconds: number) =>
    seconds === 0 ? 'at the same time' : `${relativeLength(Math.abs(seconds))} ${seconds > 0 ? 'earlier' : 'later'}`,
  columns: {
    name: 'Source',
    held: 'Holds',
    unique: 'Alone',
    first: 'First',
    lead: 'Lead',
    rejected: 'Refused',
    churn: 'Change',
    warned: 'Warned',
  },
  meaningTitle: 'What the figures mean',
  meanings: [
    { name: 'Holds', value: 'Values on its list now; of a source that delivers news only, what it reported within 90 days.' },
    { name: 'Alone', value: 'Share of these that no other source holds: what would be missed without it.' },
    { name: 'First', value: 'Of the values that another source brought as well, the share that it brought first.' },
    { name: 'Lead', value: 'How much earlier or later it is than the others, in the middle: half of the values lie above, half below.' },
    { name: 'Refused', value: 'Share of the rows of the last 30 days that could not be taken.' },
    { name: 'Change', value: 'Share of its values that comes or goes in one collection, on average over 30 days.' },
    { name: 'Warned', value: 'Share of its values that stands on a warning list of well-known harmless names: they may be false alarms.' },
  ],
  overlap: {
    title: 'Who holds the same',
    explain: 'Of the values that the source of a row holds, the share that the source of the column holds too. The 20 largest sources.',
    scroll: 'Table of overlaps',
    corner: 'Source',
    itself: 'itself',
    pair: (row: string, column: string, shared: number, held: number) =>
      `${column} holds ${count(shared)} of the ${count(held)} values of ${row}`,
    none: 'A comparison needs two sources that hold values.',
  },
  drawer: {
    missing: 'Not measured yet',
    missingNext: 'It was added after the last report, or holds nothing.',
    loading: 'Loading the figures',
    figures: 'Figures',
    overlaps: 'Shares most with',
    noOverlaps: 'No other source holds a value of it.',
    shared: (shared: number, share: string) => `${plural(shared, 'value', 'values')}, ${share}`,
    warnings: 'Values on warning lists',
    noWarnings: 'None of its values stands on a warning list.',
    hits: (hits: number) => plural(hits, 'value', 'values'),
    source: 'Open the source',
  },
  empty: {
    title: 'No report yet',
    next: 'It is worked out by itself once sources hold values, and then once a day.',
    command: 'svc feeds quality',
    none: 'No source holds values',
    noneNext: 'Figures appear with the first collection.',
  },
} as const
