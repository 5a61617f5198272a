import type { Feed, Run } from '../../api/feeds.ts'
import type { DraftField, FeedDraft } from './feed-draft.ts'
import { intervalWords } from './interval-words.ts'
import type { SourceState, StateCounts } from './source-state.ts'

const NUMBER = new Intl.NumberFormat('en')

/** `12,345`. */
export function count(value: number): string {
  return NUMBER.format(value)
}

function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Source: Admiralty code. */
const RELIABILITY_WORDS: Record<Feed['reliability'], string> = {
  A: 'Completely reliable',
  B: 'Usually reliable',
  C: 'Fairly reliable',
  D: 'Not usually reliable',
  E: 'Unreliable',
  F: 'Cannot be judged',
}

/** Source: REJECT_CODES in src/domains/indicators/indicators.model.ts. */
const REJECT_WORDS: Record<string, string> = {
  empty: 'No value',
  too_long: 'Too long',
  not_an_indicator: 'No known kind of value',
  type_mismatch: 'Not of the announced type',
  ip_not_routable: 'Address that is not routable',
  ip_ambiguous: 'Ambiguous address',
  network_too_wide: 'Range too wide',
  network_not_routable: 'Range that is not routable',
  domain_invalid: 'Not a valid domain name',
  domain_single_label: 'Domain name of one word',
  domain_local: 'Local domain name',
  domain_public_suffix: 'Public suffix, not a domain',
  url_scheme: 'URL scheme that is not accepted',
  url_no_scheme: 'URL without a scheme',
  url_host: 'URL without a usable host',
  url_port: 'URL with an impossible port',
  hash_length: 'Hash of an unknown length',
  hash_meaningless: 'Hash of nothing',
  email_invalid: 'Not a valid e-mail address',
  malformed_row: 'Row that cannot be read',
}

const STATE_WORDS: Record<SourceState, string> = { healthy: 'Healthy', degraded: 'Degraded', pending: 'Pending', off: 'Off' }

const FIELD_WORDS: Record<DraftField, string> = {
  url: 'URL',
  format: 'Format',
  name: 'Name',
  feed_type: 'Type',
  reliability: 'Reliability',
  frequency: 'Interval',
  tlp: 'TLP',
  licence: 'Licence',
  homepage: 'Homepage',
  parser: 'Reader settings',
}

/** Every text of the Sources screen. */
export const sourcesText = {
  title: 'Sources',
  add: 'Add source',
  state: STATE_WORDS,
  reliability: RELIABILITY_WORDS,
  reliabilityOf: (letter: Feed['reliability']) => `${letter}: ${RELIABILITY_WORDS[letter]}`,
  reject: (code: string) => REJECT_WORDS[code] ?? code,
  collecting: 'Collecting now',
  /** `12 of 14 sources healthy, 2 degraded; 3 off`. */
  summary: ({ healthy, degraded, pending, off }: StateCounts) => {
    const active = healthy + degraded + pending
    const ill = [degraded > 0 ? `${count(degraded)} degraded` : '', pending > 0 ? `${count(pending)} pending` : '']
    const words = [`${count(healthy)} of ${plural(active, 'source', 'sources')} healthy`, ...ill].filter((word) => word !== '')
    return `${words.join(', ')}${off > 0 ? `; ${count(off)} off` : ''}`
  },
  shown: (shown: number, total: number) => `${count(shown)} of ${plural(total, 'source', 'sources')}`,
  columns: {
    state: 'State',
    name: 'Name',
    reliability: 'Rel.',
    schedule: 'Interval',
    lastSuccess: 'Last success, 7 days',
    lastRun: 'Last run',
    listed: 'Listed',
    active: 'Active',
  },
  kind: (format: string, type: string) => `${format} · ${type}`,
  nextNow: 'due now',
  nextIn: (relative: string) => `next ${relative}`,
  attempt: (attempt: number, next: string) => `attempt ${count(attempt)}, ${next}`,
  counts: {
    new: (value: number) => `${count(value)} new`,
    updated: (value: number) => `${count(value)} updated`,
    gone: (value: number) => `${count(value)} gone`,
    rejected: (value: number) => `${count(value)} rejected`,
    none: 'No run yet',
    running: 'Running',
  },
  failuresInARow: (failures: number) => plural(failures, 'failure', 'failures in a row'),
  activeSwitch: (name: string) => `Collect ${name} regularly`,
  switchedOn: (name: string) => `${name} is switched on`,
  switchedOff: (name: string) => `${name} is switched off. Its values stay.`,
  filters: {
    text: 'Name, address or type',
    clearText: 'Clear the text',
    state: 'State',
    states: { any: 'Any state' },
    active: 'Active',
    actives: { any: 'On and off', true: 'On', false: 'Off' },
    type: 'Type',
    anyType: 'Any type',
  },
  empty: {
    nothing: 'No source yet',
    nothingNext: 'Register the public feeds that need no key, or add one of your own. Values arrive with the first collection.',
    command: 'svc seed',
    noMatch: 'No source matches these filters',
    noMatchNext: 'Take a filter away to see more.',
    clear: 'Clear filters',
  },
  collected: {
    begun: (name: string) => `${name} is being collected`,
    done: (name: string, run: Run) =>
      run.outcome === 'UNCHANGED'
        ? `${name}: the list has not changed`
        : `${name} collected: ${count(run.new_count)} new, ${count(run.updated_count)} updated, ${count(run.gone_count)} gone`,
    failed: (name: string) => `${name} could not be collected. The reason stands in its details.`,
    postponed: (name: string) => `${name} asks for patience and will be tried again later.`,
  },
  drawer: {
    loading: 'Loading the source',
    missing: 'There is no such source',
    missingNext: 'It may have been removed meanwhile.',
    collect: 'Collect now',
    alreadyCollecting: 'It is being collected at this moment',
    edit: 'Edit',
    enable: 'Switch on',
    disable: 'Switch off',
    delete: 'Delete',
    errorTitle: 'Why the last collection failed',
    acceptShrink: 'Accept the shorter list',
    acceptShrinkHint: 'The values that are missing now will count as gone.',
    facts: 'Facts',
    names: {
      url: 'URL',
      kind: 'Format and type',
      reliability: 'Reliability',
      interval: 'Interval',
      next: 'Next try',
      lastSuccess: 'Last success',
      lastAttempt: 'Last attempt',
      week: 'Last 7 days',
      listed: 'Values listed',
      tlp: 'TLP',
      licence: 'Licence',
      homepage: 'Homepage',
      created: 'Added',
      id: 'ID',
    },
    weekCounts: (collections: number, failures: number) => `${plural(collections, 'collection', 'collections')}, ${count(failures)} failed`,
    off: 'Switched off',
    unknown: 'Not known',
    showIocs: 'Show them',
    parser: 'Reader settings',
    parserScroll: 'Reader settings as JSON',
    parserNone: 'None: the layout is found out from the first rows.',
  },
  runs: {
    title: 'Collections',
    none: 'This source was never collected.',
    sameNote: 'For the same reason.',
    loading: 'Loading the collections',
    showAll: (total: number) => `Show all ${count(total)}`,
    showRejects: (started: string) => `Show the rejects of ${started}`,
    columns: {
      started: 'Started',
      outcome: 'Outcome',
      rows: 'Rows',
      new: 'New',
      updated: 'Upd.',
      gone: 'Gone',
      rejected: 'Rejected',
      unsupported: 'Unsupp.',
      duration: 'Took',
    },
    outcome: {
      RUNNING: 'Running',
      SUCCEEDED: 'Succeeded',
      UNCHANGED: 'Unchanged',
      PARTIAL: 'Incomplete',
      POSTPONED: 'Postponed',
      FAILED: 'Failed',
      INTERRUPTED: 'Interrupted',
    } satisfies Record<Run['outcome'], string>,
    scroll: 'Table of collections',
  },
  rejects: {
    title: (rejected: number) => `Rejects: ${count(rejected)}`,
    of: 'of the collection',
    examples: (shown: number, total: number) =>
      shown === total ? `All ${plural(total, 'row', 'rows')}` : `${count(shown)} examples of ${plural(total, 'row', 'rows')}`,
    noExamples: 'No examples were kept.',
    line: 'Line',
    value: 'Value',
    reason: 'Reason',
    scroll: 'Table of rejected rows',
    empty: '(empty)',
  },
  dialog: {
    addTitle: 'Add a source',
    editTitle: (name: string) => `Edit ${name}`,
    fields: FIELD_WORDS,
    urlHint: 'HTTPS. An access key stands as {NAME} and comes from the setting FEED_KEY_NAME.',
    nameHint: 'Taken from the host until you write one.',
    typeHint: 'Decides the severity of values that state none.',
    interval: (seconds: number) => intervalWords(seconds).replace(/^e/, 'E'),
    advanced: 'Reader, TLP and licence',
    readerHint: 'All optional: what is empty is found out from the first rows.',
    parserLabel: 'Reader settings as JSON',
    parserBad: 'This is not a JSON object.',
    inJson: 'See the JSON text',
    simple: {
      delimiter: 'Delimiter',
      value: 'Value column',
      type: 'Type column',
      header: 'Header',
      comment: 'Comment prefixes',
      items: 'Path to the records',
    },
    simpleJson: { value: 'Value field', type: 'Type field' },
    columnHint: 'name or number',
    typeColumnHint: 'column, or one type',
    itemsHint: 'data.*.ioc',
    commentHint: '# ; //',
    detected: 'Found out',
    delimiters: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar', whitespace: 'Blanks', none: 'None, one value a line' },
    headers: { none: 'No header', first: 'First row', comment: 'Last comment line' },
    test: 'Test',
    testAgain: 'Test again',
    save: 'Save',
    saveUntested: 'Save without test',
    cancel: 'Cancel',
    needsUrl: 'Paste the URL first',
    needsTest: 'Test it first',
    nothingChanged: 'Nothing was changed',
    unreadable: 'No row could be read, so a test did not succeed yet',
    stale: 'Changed since the test. Test again to see what would be read now.',
    testing: 'Fetching and reading the list',
    saved: (name: string) => `${name} is saved`,
    added: (name: string) => `${name} is added and being collected`,
    addedOnly: (name: string) => `${name} is added`,
    testFailed: 'The test failed',
    saveFailed: 'It could not be saved',
  },
  probe: {
    title: 'Result of the test',
    good: (accepted: number) => `${plural(accepted, 'row', 'rows')} would be read`,
    bad: 'No row would be read',
    badNext: 'Check the format and the reader settings below.',
    rows: 'rows',
    accepted: 'accepted',
    rejected: 'rejected',
    unsupported: 'unsupported',
    layout: 'Layout found',
    unknownLayout: 'none',
    encoding: (name: string) => `encoding ${name}`,
    header: { none: 'no header', first: 'header in the first row', comment: 'header in a comment line' },
    delimiter: {
      ',': 'comma',
      ';': 'semicolon',
      '\t': 'tab',
      '|': 'bar',
      whitespace: 'blanks',
      none: 'one value a line',
    } as Record<string, string>,
    mode: { array: 'array of records', object_values: 'object of records', ndjson: 'one record a line' } as Record<string, string>,
    path: (path: string) => `records at ${path}`,
    valueColumn: (column: string) => `value in ${/^\d+$/.test(column) ? `column ${column}` : column}`,
    typeColumn: (column: string) => `type from ${/^\d+$/.test(column) ? `column ${column}` : column}`,
    types: 'Values by type',
    size: 'Size',
    bytes: (bytes: number, contentType: string | null) =>
      contentType === null ? bytesWords(bytes) : `${bytesWords(bytes)}, ${contentType}`,
    samples: 'First rows as they would be read',
    line: 'Line',
    raw: 'As it stands there',
    readAs: 'Read as',
    type: 'Type',
    severity: 'Severity',
    notRead: 'not read',
    same: 'the same',
    rejects: (shown: number, total: number) =>
      shown === total ? `Rejected: ${count(total)}` : `Rejected: ${count(shown)} of ${count(total)} shown`,
    scroll: 'First rows',
  },
  conflict: {
    title: 'Someone else changed this source meanwhile',
    unchanged: 'Nothing in this form differs from before. Save again to go on.',
    what: 'What is different now:',
    from: (before: string, after: string) => `${before} → ${after}`,
    kept: 'Your own changes are still in the form.',
    load: 'Load the newer version',
    loadHint: 'Your changes are dropped.',
    keep: 'Keep my changes on top',
    nothing: '(empty)',
  },
  deletion: {
    title: (name: string) => `Delete ${name}`,
    counting: 'Counting what it lists',
    listed: (listed: number) =>
      listed === 0 ? 'No value is on its list now.' : `${plural(listed, 'value is', 'values are')} on its list now.`,
    stays: 'Its collections and their history go. IOCs stay unless they are removed below.',
    orphans: (orphans: number) =>
      orphans === 1
        ? 'Also remove the 1 value that no other source has reported'
        : `Also remove the ${count(orphans)} values that no other source has reported`,
    noOrphans: 'Every value it listed was reported by another source as well.',
    confirm: 'Delete source',
    done: (name: string, removed: number) =>
      removed === 0 ? `${name} is deleted` : `${name} is deleted, with ${plural(removed, 'value', 'values')}`,
  },
} as const

const KIB = 1024

/** `812 bytes`, `3.1 MiB`. */
function bytesWords(bytes: number): string {
  if (bytes < KIB) return plural(bytes, 'byte', 'bytes')
  return bytes < KIB * KIB ? `${(bytes / KIB).toFixed(1)} KiB` : `${(bytes / (KIB * KIB)).toFixed(1)} MiB`
}

/** A form value in the words of the form. */
export function draftWords(draft: FeedDraft, field: DraftField): string {
  const value = String(draft[field])
  if (field === 'frequency') return intervalWords(draft.frequency)
  return value.trim() === '' ? sourcesText.conflict.nothing : value
}

/** Quarter of a day that a strip's cell stands for: `20 Nov 18:00 to 21 Nov 00:00 UTC`. @param startMs ms */
export function cellLabel(startMs: number, endMs: number): string {
  return `${CELL_TIME.format(startMs)} to ${CELL_TIME.format(endMs)} UTC`
}

const CELL_TIME = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
