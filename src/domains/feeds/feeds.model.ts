/** Formats that a feed can have. Source: spec, "Feed". */
export const FEED_FORMATS = ['CSV', 'JSON', 'STIX', 'TAXII', 'PULSE'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

export const FEED_STATUSES = ['PENDING', 'HEALTHY', 'DEGRADED'] as const
export type FeedStatus = (typeof FEED_STATUSES)[number]

export const RUN_OUTCOMES = ['RUNNING', 'SUCCEEDED', 'UNCHANGED', 'PARTIAL', 'POSTPONED', 'FAILED', 'INTERRUPTED'] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]

/** Outcomes after which a feed counts as collected. */
export const SUCCESSFUL_OUTCOMES = ['SUCCEEDED', 'UNCHANGED'] as const
/** Outcomes that raise the waiting time before the next attempt. */
export const FAILED_OUTCOMES = ['FAILED', 'PARTIAL', 'INTERRUPTED'] as const

export const TLP_LEVELS = ['CLEAR', 'GREEN', 'AMBER', 'AMBER+STRICT', 'RED'] as const
export type Tlp = (typeof TLP_LEVELS)[number]

/** Suggested kinds of feed; free text is accepted. Source: docs/decisions/0004. */
export const FEED_TYPES = [
  'malware',
  'c2',
  'phishing',
  'botnet',
  'ransomware',
  'scanner',
  'bruteforce',
  'spam',
  'tor',
  'proxy',
  'dynamic_dns',
  'other',
] as const

/** Collection interval, seconds. Source: docs/decisions/0004. */
export const FREQUENCY_MIN_SECONDS = 300
export const FREQUENCY_MAX_SECONDS = 604_800
export const FREQUENCY_DEFAULT_SECONDS = 3600

/** Most feeds on one page and most runs in one answer. Source: spec, "Limits". */
export const FEED_PAGE_MAX = 200
export const RUN_LIST_MAX = 100

/** How long run rows are kept, days. Source: spec, "Limits". */
export const RUN_RETENTION_DAYS = 90

/** One refused row of a feed, as an example for a person. */
export type FeedRejection = { line: number; value: string; code: string; reason: string }
