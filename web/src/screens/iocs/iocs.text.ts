import type { Indicator, IndicatorType } from '../../api/indicators.ts'

const NUMBER = new Intl.NumberFormat('en')
const POINTS = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const DAYS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const WEIGHT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `12,345`. */
export function count(value: number): string {
  return NUMBER.format(value)
}

/** Points of a score with one decimal. */
export function points(value: number): string {
  return POINTS.format(value)
}

export function weight(value: number): string {
  return WEIGHT.format(value)
}

/** `1 day`, `4.2 days`. */
export function days(value: number): string {
  const shown = DAYS.format(value)
  return shown === '1' ? '1 day' : `${shown} days`
}

function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

export const typeText: Record<IndicatorType, string> = {
  IPV4: 'IPv4',
  IPV6: 'IPv6',
  NETWORK: 'Network',
  DOMAIN: 'Domain',
  URL: 'URL',
  HASH: 'Hash',
  EMAIL: 'E-mail',
}

/** The type with the algorithm of a hash: `Hash, SHA-256`. */
export function fullType({ type, hash_algorithm }: Pick<Indicator, 'type' | 'hash_algorithm'>): string {
  return hash_algorithm === null ? typeText[type] : `${typeText[type]}, ${hash_algorithm}`
}

/** Every text of the IOCs screens. */
export const iocsText = {
  title: 'IOCs',
  total: (total: number, exact: boolean) => `${exact ? '' : '≈ '}${plural(total, 'IOC', 'IOCs')}`,
  submit: 'Submit IOCs',
  columns: {
    severity: 'Severity',
    type: 'Type',
    value: 'Value',
    confidence: 'Confidence',
    sources: 'Sources',
    hits: 'Hits',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    expires: 'Expires',
    state: 'State',
  },
  state: { active: 'Active', expired: 'Expired', excluded: 'Excluded' },
  value: 'value',
  filters: {
    value: 'Exact value',
    valuePlaceholder: 'Exact value, defanged or not',
    searchedAs: (value: string) => `Searched as ${value}`,
    clearValue: 'Clear the value',
    type: 'Type',
    severity: 'Severity',
    confidence: 'Confidence',
    confidences: { any: 'Any confidence', medium: 'Confidence ≥ 40', high: 'Confidence ≥ 70' },
    feed: 'Source',
    anyFeed: 'Any source',
    analysts: 'Submitted by analysts',
    noFeed: 'No source of this name',
    state: 'State',
    states: { any: 'Active and expired', active: 'Active', expired: 'Expired', excluded: 'Excluded' },
  },
  bulk: {
    selected: (rows: number) => `${count(rows)} selected`,
    copy: 'Copy values',
    copyDefanged: 'Copy defanged',
    clear: 'Clear selection',
    copied: (rows: number) => `${plural(rows, 'value', 'values')} copied`,
  },
  empty: {
    nothing: 'No IOC yet',
    nothingNext: 'IOCs come from the sources, collected every hour or so. Load the standard sources and collect them now:',
    nothingCommand: 'svc seed && svc feeds fetch-all',
    toSources: 'Go to Sources',
    noMatch: 'No IOC matches these filters',
    noMatchNext: 'Take a filter away to see more.',
    noMatchHere: 'No match in this part of the list',
    noMatchHereNext: 'There are older IOCs that were not searched yet.',
    goOn: 'Search older IOCs',
    unknown: (value: string) => `${value} is unknown here`,
    unknownNext: 'No source lists it and nobody has submitted it.',
    otherFilters: 'The other filters may hide it.',
    submitIt: 'Submit it',
    cannotSearch: 'This cannot be searched for',
    cannotSearchNext: 'Give an address, a range, a domain name, a URL, a hash or an e-mail address, defanged or not.',
    clear: 'Clear filters',
  },
  relation: {
    exact: 'is known',
    in_range: 'lies in the range',
    subdomain_of: 'is a name under',
    host_of_url: 'has the host',
  },
  related: (asked: string) => `${asked} itself is not listed, but it`,
  openRelated: 'Open it',
  detail: {
    back: 'All IOCs',
    page: 'IOC',
    copy: 'Copy',
    copyDefanged: 'Copy defanged',
    exclude: 'Exclude',
    openPage: 'Full page',
    copied: 'Copied',
    copiedDefanged: 'Copied defanged',
    loading: 'Reading the IOC',
    facts: 'Facts',
    tags: 'Tags',
    noTags: 'None',
    id: 'Id',
    notes: 'Worth knowing',
  },
  exclusion: {
    title: (values: readonly string[]) =>
      values.length === 1 ? `Exclude ${values[0]}` : `Exclude ${plural(values.length, 'IOC', 'IOCs')}`,
    already: 'Excluded already',
    reason: 'Why is it harmless?',
    reasonHint: 'Shown to whoever asks for the value.',
    reasonFirst: 'Write the reason first',
    scope: 'What is excluded',
    kinds: {
      VALUE: 'This value alone',
      DOMAIN: 'The name and all names below',
      NETWORK: 'The range with all inside it',
      HOST: 'Every URL on its host',
    },
    days: 'For how many days',
    daysNone: 'For good',
    working: 'Finding out what it touches…',
    effect: (touched: number) =>
      touched === 0
        ? 'It touches no IOC of today, and keeps out whatever of it arrives later.'
        : `It takes ${plural(touched, 'IOC', 'IOCs')} out of every list, count, hunt and export, and keeps out whatever of it arrives later.`,
    examples: 'Some of them',
    more: (rest: number) => `and ${count(rest)} more`,
    confirm: (touched: number, base: number) =>
      `Silence ${plural(touched, 'IOC', 'IOCs')}: ${points((100 * touched) / base)} % of all ${count(base)}`,
    confirmFirst: 'Confirm the number first',
    submit: (values: number) => (values > 1 ? `Exclude ${count(values)}` : 'Exclude'),
    done: (values: readonly string[]) => (values.length === 1 ? `${values[0]} is excluded` : `${count(values.length)} IOCs are excluded`),
    note: 'Excluded',
    by: (who: string) => `Excluded by ${who}`,
    until: ' until',
    through: { DOMAIN: 'with the domain', NETWORK: 'with the range', HOST: 'with the host' },
    because: (reason: string) => `Because: ${reason}`,
    unknown: (value: string) => `${value} is excluded`,
  },
  confidence: {
    title: 'Confidence',
    sentence: (total: number, parts: { sources: number; freshness: number; recurrence: number }) =>
      `${total} = sources ${points(parts.sources)} + freshness ${points(parts.freshness)} + recurrence ${points(parts.recurrence)}, rounded once`,
    sources: 'Sources',
    freshness: 'Freshness',
    recurrence: 'Recurrence',
    total: 'Total',
    of: (value: number, max: number) => `${points(value)} of ${max}`,
    ofTotal: (value: number) => `${value} of 100`,
    sourcesWhy: (sources: number, share: number) =>
      `${plural(sources, 'source', 'sources')} together ${Math.round(share * 100)} % sure: 60 × (1 − product of 1 − weight)`,
    freshnessWhy: (age: number, halfLife: number) => `last seen ${days(age)} ago; halves every ${days(halfLife)}`,
    recurrenceWhy: (hits: number) => `${plural(hits, 'hit', 'hits')}; 2 points for each doubling`,
    level: { LOW: 'Low', MEDIUM: 'Medium from 40', HIGH: 'High from 70' },
    levelWord: { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' },
  },
  curve: {
    title: 'Freshness over time',
    label: (age: number, now: number, halfLife: number) =>
      `Freshness halves every ${days(halfLife)}; ${days(age)} after it was last seen it gives ${points(now)} of 30 points`,
    today: (now: number) => `today ${points(now)}`,
    halfLife: (halfLife: number) => `half after ${days(halfLife)}`,
    expires: (ttl: number) => `expires after ${days(ttl)}`,
    day: (day: number) => `${DAYS.format(day)} d`,
  },
  sources: {
    title: (rows: number) => `Sources (${count(rows)})`,
    reliability: (letter: string) => `Reliability ${letter}`,
    weight: 'weight',
    analyst: 'Analysts',
    listed: 'Listed now',
    notListed: 'No longer listed',
    delivered: 'Delivered as news',
    submitted: 'Submitted',
    tlp: (level: string) => `TLP:${level}`,
    tlpHint: 'The sharing level of this source',
    validUntil: 'Valid until',
    validEnded: 'No longer valid since',
    validHint: 'As the source itself says',
    seen: 'Seen',
    hits: (hits: number) => plural(hits, 'hit', 'hits'),
    reported: 'Reported by the source',
    says: 'says',
    to: 'to',
  },
  submission: {
    title: 'Submit IOCs',
    values: 'Values',
    valuesHint: 'One a line, or with commas between them; defanged values are read too. 1,000 at most.',
    none: 'Nothing to submit yet',
    unrecognised: 'not recognised',
    unrecognisedHint: 'The server decides; it names a reason for each value that it refuses.',
    tooMany: (over: number) => `${plural(over, 'value', 'values')} too many: 1,000 at most at once`,
    pasteFirst: 'Paste at least one value',
    severity: 'Severity',
    tags: 'Tags',
    tagsHint: 'Press Enter after each',
    description: 'Where it comes from',
    descriptionHint: 'Optional; kept with each value',
    send: (values: number) => (values === 0 ? 'Submit' : `Submit ${plural(values, 'value', 'values')}`),
    cancel: 'Cancel',
    done: 'Done',
    again: 'Submit others',
    correct: 'Correct the refused values',
    created: 'new',
    updated: 'updated',
    duplicates: 'double in the paste',
    rejected: 'refused',
    rejections: 'Refused',
    rejectionsCut: (shown: number) => `The first ${count(shown)} are shown.`,
    line: 'Line',
    reason: 'Reason',
    counts: 'Recognised so far',
  },
} as const
