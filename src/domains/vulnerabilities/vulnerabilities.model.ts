import { ALERT_PRIORITIES, type AlertPriority } from '#domains/alerts/alerts.model.ts'

/** Whether an asset is hit by a CVE. Source: spec, "Correlated event"; NONE is the answer that makes no event. Worst first. */
export const VERDICTS = ['VULNERABLE', 'CONDITIONAL', 'OUTSIDE_PLATFORM', 'NONE'] as const
export type VerdictWord = (typeof VERDICTS)[number]

/** What is known of an asset when it is judged. */
export type AssetFacts = {
  product: string
  vendor?: string | undefined
  version?: string | undefined
  platform?: string | undefined
}

/** The answer and why. */
export type Verdict = {
  verdict: VerdictWord
  /** Whose statement decided: NVD's configurations, or what the CVE's own author says is affected; null when neither names the product. */
  source: 'NVD' | 'CNA' | null
  /** Number of the configuration, from 1; null without one. */
  configuration: number | null
  /** The CPE or the product name that decided. */
  criteria: string | null
  /** The versions that it names, in words. */
  range: string | null
  /** Facts that would settle a conditional answer. */
  missing: string[]
  /** One or two sentences for a person. */
  explanation: string
}

/** Most urgent first. Source: spec, "CVE". */
export const PRIORITIES = ALERT_PRIORITIES
export type Priority = AlertPriority

/** A CVE identifier. Source: CVE Program, "CVE ID syntax": four digits of a year, four or more of a number. */
export const CVE_ID = /^CVE-\d{4}-\d{4,19}$/

/** A reference of a CVE; only addresses that a browser may open are kept. */
export type CveReference = { url: string; tags: string[] }

/** CISA's answers to the SSVC questions, as far as a record has them. Source: NVD CVE API 2.0, `metrics.ssvcV203`. */
export type Ssvc = { exploitation?: string; automatable?: string; technical_impact?: string }

/** What the list may ask of alerts about a CVE: that one is open, that there ever was one, that there never was. */
export const ALERT_FILTERS = ['OPEN', 'ANY', 'NONE'] as const
export type AlertFilterWord = (typeof ALERT_FILTERS)[number]

/** An incident that is about a CVE, as the page of the CVE shows it. */
export type LinkedIncident = { id: string; title: string; status: string; severity: string; level: string; created_at: Date }
