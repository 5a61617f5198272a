/** Most urgent first. Source: spec, "CVE". */
export const ALERT_PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const
export type AlertPriority = (typeof ALERT_PRIORITIES)[number]

/** Source: spec, "Alert". */
/** How far back the age of alerts can be asked for, hours: ten years. Assumption: nobody asks for older ones. */
export const MAX_AGE_HOURS = 87_600
export const ALERT_SORTS = ['NEWEST', 'URGENCY'] as const
export type AlertSort = (typeof ALERT_SORTS)[number]
export const ALERT_STATES = ['OPEN', 'ACKNOWLEDGED'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** What has become of the message to the webhook; NONE when there was no webhook. */
export const NOTIFICATIONS = ['NONE', 'PENDING', 'DELIVERED', 'FAILED'] as const
export type Notification = (typeof NOTIFICATIONS)[number]

export const DELIVERY_OUTCOMES = ['UNDER_WAY', 'DELIVERED', 'FAILED'] as const
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number]

/** An alert that is to be raised. */
export type NewAlert = {
  cveId: string
  /** Number of the crossing, from 1: the same one is never told twice. */
  generation: number
  priority: AlertPriority
  /** 0 to 100. */
  score: number
  title: string
}

/** What is known today of the CVE of an alert; a withdrawn one is neither exploited nor scored. */
export type CveFacts = {
  kev: boolean
  ransomware: boolean
  kev_due_date: string | null
  exploit: boolean
  /** Probability and percentile, 0 to 1. */
  epss: number | null
  epss_percentile: number | null
}
export const NO_CVE_FACTS: CveFacts = {
  kev: false,
  ransomware: false,
  kev_due_date: null,
  exploit: false,
  epss: null,
  epss_percentile: null,
}

/** Rows of one page. Source: spec, "Limits". */
export const ALERT_PAGE_ROWS = 50
/** Alerts that one request acknowledges. Assumption: four pages. */
export const ACKNOWLEDGE_MAX = 200
/** Characters of a title. Assumption: a line of a chat. */
export const TITLE_MAX_CHARS = 200
