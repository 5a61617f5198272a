import type { Feed, Run } from '../../api/feeds.ts'
import type { DraftField, FeedDraft } from './feed-draft.ts'
import type { FeedFormat, SimpleSetting } from './feed-formats.ts'
import { intervalWords } from './interval-words.ts'
import type { SourceState, StateCounts } from './source-state.ts'

const NUMBER = new Intl.NumberFormat('en')

/** `12,345`. */
export function count(value: number): string {
  return NUMBER.format(value)
}

/** `1 row`, `12,345 rows`. */
export function plural(value: number, one: string, many: string): string {
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
  pattern_invalid: 'STIX pattern that is not one',
  pattern_too_large: 'STIX pattern that is too large',
  pattern_not_a_value: 'STIX pattern that calls no value bad alone',
  tlp_above_feed: 'Marked with a higher TLP than this source may store',
}

/** A code that is newer than this page, as words: `archive_entry_damaged` becomes `Archive entry damaged`. */
function wordsOfCode(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type FormatWords = { label: string; urlHint: string; readerHint: string; tlpHint: string }

const LIST_URL = 'HTTPS. An access key stands as {NAME} and comes from the setting FEED_KEY_NAME.'
const FOUND_OUT = 'All optional: what is empty is found out from the first rows.'
const MARKED_TLP = 'The highest level that is taken: what is marked above it is refused.'

const FORMAT_WORDS: Readonly<Record<FeedFormat, FormatWords>> = {
  CSV: { label: 'CSV or plain list', urlHint: LIST_URL, readerHint: FOUND_OUT, tlpHint: 'The level of everything on this list.' },
  JSON: { label: 'JSON', urlHint: LIST_URL, readerHint: FOUND_OUT, tlpHint: 'The level of everything on this list.' },
  STIX: {
    label: 'STIX 2 bundle',
    urlHint: LIST_URL,
    readerHint: 'A bundle says itself how it is laid out.',
    tlpHint: MARKED_TLP,
  },
  TAXII: {
    label: 'TAXII 2.1 collection',
    urlHint: 'Of the collection, or of its API root or server when it has only one. Credentials come from the setting TAXII_AUTH, by host.',
    readerHint: 'Its objects say themselves how they are laid out.',
    tlpHint: MARKED_TLP,
  },
  PULSE: {
    label: 'Pulse subscriptions',
    urlHint: 'On the host of the setting PULSE_BASE_URL; the bare host means all subscriptions. The key comes from PULSE_API_KEY.',
    readerHint: 'Pulses say themselves how they are laid out.',
    tlpHint: `${MARKED_TLP} Many pulses are GREEN.`,
  },
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

/** `malware 34, relationship 130`, the most first. */
function kindWords(kinds: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(kinds).toSorted(([, first], [, second]) => second - first)
  return sorted.map(([kind, rows]) => `${kind} ${count(rows)}`).join(', ')
}

/** Every text of the Sources screen. */
export const sourcesText = {
  title: 'Sources',
  tabs: { label: 'Parts of Sources', list: 'List' },
  add: 'Add source',
  state: STATE_WORDS,
  reliability: RELIABILITY_WORDS,
  reliabilityOf: (letter: Feed['reliability']) => `${letter}: ${RELIABILITY_WORDS[letter]}`,
  reject: (code: string) => (Object.hasOwn(REJECT_WORDS, code) ? REJECT_WORDS[code] : undefined) ?? wordsOfCode(code),
  /** Undefined for a format that this page does not know yet. */
  formatOf: (format: string) => Object.entries(FORMAT_WORDS).find(([name]) => name === format)?.[1],
  collecting: 'Collecting now',
  /** `12 of 14 sources healthy, 2 degraded; 3 off`. */
  summary: ({ healthy, degraded, pending, off }: StateCounts) => {
    const active = healthy + degraded + pending
    const ill = [degraded > 0 ? `${count(degraded)} degraded` : '', pending > 0 ? `${count(pending)} pending` : '']
    const words = [`${count(healthy)} of ${plural(active, 'source', 'sources')} healthy`, ...ill].filter((word) => word !== '')
    return `${words.join(', ')}${off > 0 ? `; ${count(off)} off` : ''}`
  },
  shown: (shown: number, total: number) => `${count(shown)} of ${plural(total, 'source', 'sources')}`,
  sortAgain: 'Sort again',
  sortAgainHint: 'Some rows have changed and stand where they were',
  changed: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} has changed` : `${plural(names.length, 'source has', 'sources have')} changed`,
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
  kinds: kindWords,
  newsOnly: 'news only',
  newsOnlyHint: 'This source delivers news only: it says what is new, never all that it holds, so there is no list to count.',
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
    showStory: (at: string) => `Show what the collection of ${at} did`,
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
  story: {
    heading: 'What this collection did',
    title: (at: string) => `Collection of ${at}`,
    run: (id: string) => `Run ${id}`,
    took: (duration: string) => `took ${duration}`,
    copy: 'Copy as text',
    steps: { fetched: 'Fetched', decoded: 'Decoded', read: 'Read', notHeld: 'Not held', refused: 'Refused', stored: 'Stored' },
    running: 'It is being fetched and read at this moment.',
    postponed: 'The publisher asked to be left alone for a while. Nothing was read.',
    unchanged: (listed: number) =>
      `Nothing has changed since the last collection, so no row had to be read. ${plural(listed, 'value counts', 'values count')} as seen once more.`,
    noNews: 'There was nothing new since the last collection.',
    fetchedList: 'The list arrived.',
    fetchedNews: 'What is new since the last collection arrived, page by page.',
    nothingRead: 'No list arrived that could be read. Everything stays as it was.',
    interrupted: 'It was interrupted before a row was read. The next collection goes on.',
    decoded: (fetched: number, decoded: number, decoding: readonly string[]) => {
      const ways = decoding.length === 0 ? '' : ` (${decoding.join(', ')})`
      return fetched === decoded
        ? `${bytesWords(decoded)}${ways}, sent as it is.`
        : `${bytesWords(fetched)} became ${bytesWords(decoded)}${ways}.`
    },
    read: (rows: number) => `${plural(rows, 'row', 'rows')} to the end.`,
    stoppedAfter: (rows: number) => `${plural(rows, 'row', 'rows')}; it did not end as it should.`,
    notHeld: (rows: number, kinds: Readonly<Record<string, number>>) =>
      `${plural(rows, 'row is', 'rows are')} of a kind that is not held here: ${kindWords(kinds)}.`,
    refused: (rows: number) => (rows === 0 ? 'No row.' : `${plural(rows, 'row', 'rows')}, for the reasons below. The others were taken.`),
    stored: (created: number, updated: number) =>
      `${plural(created, 'value is', 'values are')} new, ${plural(updated, 'was', 'were')} known and seen again.`,
    gone: (gone: number) => `${plural(gone, 'value is', 'values are')} no longer listed.`,
    takenBack: (gone: number) => `${plural(gone, 'value was', 'values were')} taken back.`,
    repeated: (rows: number) => `${plural(rows, 'row names', 'rows name')} a value a second time.`,
    nothingStored: 'Nothing. Everything stays as it was.',
    refusedRows: 'Refused rows by reason:',
    refusedRow: (line: number, value: string, reason: string) => `  line ${line}: ${value} - ${reason}`,
  },
  rejects: {
    examples: (shown: number, total: number) =>
      shown === total
        ? total === 1
          ? 'The row'
          : `All ${count(total)} rows`
        : `${count(shown)} examples of ${plural(total, 'row', 'rows')}`,
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
    urlHint: LIST_URL,
    nameHint: 'Taken from the host until you write one.',
    typeHint: 'Decides the severity of values that state none.',
    interval: (seconds: number) => intervalWords(seconds).replace(/^e/, 'E'),
    advanced: 'Reader, TLP and licence',
    readerHint: FOUND_OUT,
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
      mode: 'Records',
    } satisfies Partial<Record<SimpleSetting, string>>,
    flags: {
      strip_port: 'Take the address of address:port',
      observables: 'Take observables too: addresses, names, URLs and files that were only seen',
    } satisfies Partial<Record<SimpleSetting, string>>,
    modes: { array: 'A list of them', object_values: 'The members of an object', ndjson: 'One a line' },
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
    firstPage: 'This is the first page. A collection reads all of them, and later only what is new.',
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
    notHeld: 'Not held here',
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
    kept: (kept: number) =>
      `${plural(kept, 'value stays', 'values stay')} in any case: others have reported them too, or they are needed elsewhere.`,
    examples: 'For example:',
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
