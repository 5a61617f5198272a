/** What an indicator can be. Source: spec, "IOC"; `HASH` is one kind, its algorithm follows from the length. */
export const INDICATOR_TYPES = ['IPV4', 'IPV6', 'NETWORK', 'DOMAIN', 'URL', 'HASH', 'EMAIL'] as const
export type IndicatorType = (typeof INDICATOR_TYPES)[number]

/** Weakest first: the position is the rank. */
export const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Admiralty-style letter of a source. */
export const RELIABILITIES = ['A', 'B', 'C', 'D', 'E', 'F'] as const
export type Reliability = (typeof RELIABILITIES)[number]

/** Why a value was refused. Each is explained in docs/rejections.md. */
export const REJECT_CODES = [
  'empty',
  'too_long',
  'not_an_indicator',
  'type_mismatch',
  'ip_not_routable',
  'ip_ambiguous',
  'network_too_wide',
  'network_not_routable',
  'domain_invalid',
  'domain_single_label',
  'domain_local',
  'domain_public_suffix',
  'url_scheme',
  'url_no_scheme',
  'url_host',
  'url_port',
  'hash_length',
  'hash_meaningless',
  'email_invalid',
  'malformed_row',
  'pattern_invalid',
  'pattern_too_large',
  'pattern_not_a_value',
  'tlp_above_feed',
] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/** The verdict on one raw value: its one normal form, or the reason why it has none. */
export type Normalized = { ok: true; type: IndicatorType; value: string } | { ok: false; code: RejectCode; reason: string }

/** Levels of confidence and where they begin. Source: docs/decisions/0004. */
export const CONFIDENCE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number]

/** How a looked-up value relates to the indicator that was found for it. */
export const RELATIONS = ['exact', 'in_range', 'subdomain_of', 'host_of_url'] as const
export type Relation = (typeof RELATIONS)[number]

/** Most indicators in one submission. Source: spec, "Limits". */
export const SUBMISSION_MAX_ITEMS = 1000
/** Most values in one lookup. Source: docs/decisions/0004. */
export const LOOKUP_MAX_VALUES = 10_000
/** Examples kept of what was rejected; the counter stays exact. Source: spec, "Limits". */
export const REJECTION_EXAMPLES = 100
/** Rows of one page. Source: spec, "Limits". */
export const INDICATOR_PAGE_ROWS = 50

/** The source under which analysts' own submissions stand; made by migration 0003. */
export const ANALYST_SOURCE_ID = '00000000-0000-7000-8000-000000000001'

/** How an entry of a warning list meets a value: itself, its host or one above it, an address inside a listed range or the other way round, or a part of the text. */
export const WARNING_MATCHES = ['exact', 'host', 'above_host', 'in_network', 'around_network', 'substring', 'pattern'] as const
export type WarningMatch = (typeof WARNING_MATCHES)[number]

/** A value stands on a warning list: a note, which changes no figure. */
export type Warning = { list_id: string; list_name: string; match: WarningMatch; entry: string }

/** The exclusion that keeps a value out: what it names, who made it, since when, until when, and why. */
export type ExclusionNote = {
  id: string
  kind: 'VALUE' | 'DOMAIN' | 'NETWORK' | 'HOST'
  value: string
  reason: string
  created_by: string
  created_at: Date
  ends_at: Date | null
}

/** The exclusion that keeps each value out now, in the order of the values. Exclusions stand above indicators, so the entrypoint passes this in. */
export type FindExclusions = (values: readonly { type: IndicatorType; value: string }[]) => Promise<(ExclusionNote | null)[]>

/** What warning lists say of values, in the order of the values. Warning lists stand above indicators, so the entrypoint passes this in. */
export type FindWarnings = (values: readonly { type: IndicatorType; value: string }[]) => Promise<Warning[][]>
