/** Lifecycle of an incident, in order. Source: docs/decisions/0026, after NIST SP 800-61. */
export const INCIDENT_STEPS = ['OPEN', 'ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY', 'CLOSED'] as const
export type IncidentStep = (typeof INCIDENT_STEPS)[number]

/** Least first. Source: spec, "Incident and timeline". */
export const INCIDENT_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number]

/** SOC levels; an incident goes up only. Source: spec, "Incident". */
export const SOC_LEVELS = ['L1', 'L2', 'L3'] as const
export type SocLevel = (typeof SOC_LEVELS)[number]

/** What it turned out to be. Source: docs/decisions/0026. */
export const RESOLUTIONS = ['TRUE_POSITIVE_IMPACT', 'TRUE_POSITIVE_NO_IMPACT', 'FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** What a row of the timeline tells. Source: docs/decisions/0026. */
export const TIMELINE_KINDS = [
  'CREATED',
  'TITLE_CHANGED',
  'SEVERITY_CHANGED',
  'STATUS_CHANGED',
  'CLOSED',
  'REOPENED',
  'ASSIGNED',
  'ESCALATED',
  'COMMENT',
  'ACTION_DECLARED',
  'IOC_LINKED',
  'IOC_UNLINKED',
  'CVE_LINKED',
  'CVE_UNLINKED',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** One row of the timeline. It never changes. */
export type TimelineEntry = {
  /** From 1, in the order of the commits, without a gap. */
  seq: number
  /** Of the incident after this. */
  version: number
  at: Date
  kind: TimelineKind
  actor: string
  from: string | null
  to: string | null
  indicator_id: string | null
  /** Of a close. */
  resolution: Resolution | null
  /** Comment, reason, declared action, summary. */
  note: string | null
}

/** Where an incident is shown beside something else: a CVE, an IOC, another incident. */
export type IncidentBrief = {
  id: string
  title: string
  status: IncidentStep
  severity: IncidentSeverity
  level: SocLevel
  created_at: Date
}

/** Rows of one page. Assumption: as the other lists. */
export const INCIDENT_PAGE_ROWS = 50
/** Rows of one page of a timeline. Assumption: a week of work on one incident. */
export const TIMELINE_PAGE_ROWS = 200
/** Related incidents, and incidents beside a CVE or an IOC, that are shown. Assumption: the newest of more say enough. */
export const BRIEFS_MAX = 20

/** Characters. Assumption: a line; a report of several pages; a page. */
export const TITLE_MAX_CHARS = 200
export const DESCRIPTION_MAX_CHARS = 10_000
export const NOTE_MAX_CHARS = 10_000
/** Characters of the reason for an escalation or a reopening. Source: docs/decisions/0026. */
export const REASON_MIN_CHARS = 10
export const REASON_MAX_CHARS = 2000
/** CVEs, IOCs or alerts that one request names. Assumption: four pages of a list. */
export const LINKS_MAX = 200
/** CVEs, and IOCs, of one incident. Assumption: what is about more is no single incident. */
export const LINKED_MAX = 1000
/** Rows of the timeline in a report. Assumption: a thousand pages; the rest is named by its number. */
export const REPORT_ENTRIES_MAX = 20_000
