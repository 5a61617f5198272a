// Generated from the migrated database by `npm run gen`. Do not edit.
import type { ColumnType } from 'kysely'

type Timestamp = ColumnType<Date, Date | string, Date | string>
/** Read as parsed JSON, written as JSON text. */
type Json = ColumnType<unknown, string, string>
/** A column of an append-only table: an update of it does not compile. */
type Fixed<T> = T extends ColumnType<infer S, infer I, unknown> ? ColumnType<S, I, never> : ColumnType<T, T, never>
/** A column that the database fills when it is left out. */
type Defaulted<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** A column that a trigger fills: no statement may give it. */
type Filled<T> = ColumnType<T, never, never>

export interface AlertDeliveries {
  id: string
  alert_id: string
  attempt: number
  started_at: Timestamp
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  outcome: 'UNDER_WAY' | 'DELIVERED' | 'FAILED'
  status: number | null
  reason: string | null
}

export interface Alerts {
  id: string
  cve_id: string
  generation: number
  priority: 'P0' | 'P1' | 'P2' | 'P3'
  score: number
  title: string
  created_at: Timestamp
  notification: 'NONE' | 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: Defaulted<number>
  next_attempt_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  acknowledged_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  acknowledged_by_id: string | null
  acknowledged_by: string | null
}

export interface AuditEvents {
  id: Fixed<string>
  at: Fixed<Timestamp>
  action: Fixed<string>
  outcome: Fixed<'SUCCESS' | 'FAILURE' | 'DENIED'>
  actor_id: Fixed<string | null>
  actor_name: Fixed<string>
  target_type: Fixed<string | null>
  target_id: Fixed<string | null>
  target_name: Fixed<string | null>
  client_ip: Fixed<string | null>
  request_id: Fixed<string | null>
  details: Fixed<Defaulted<Json>>
  lane: Filled<number>
  seq: Filled<number>
  hash: Filled<Buffer>
}

export interface CollectionRuns {
  id: string
  feed_id: string
  started_at: Timestamp
  duration_ms: number | null
  outcome: 'RUNNING' | 'SUCCEEDED' | 'UNCHANGED' | 'PARTIAL' | 'POSTPONED' | 'FAILED' | 'INTERRUPTED'
  row_count: Defaulted<number>
  new_count: Defaulted<number>
  updated_count: Defaulted<number>
  gone_count: Defaulted<number>
  rejected_count: Defaulted<number>
  unsupported_count: Defaulted<number>
  rejected_by_code: Defaulted<Json>
  error: string | null
  warning: string | null
  rejections: Defaulted<Json>
  unsupported_by_kind: Defaulted<Json>
  fetched_bytes: number | null
  decoded_bytes: number | null
  decoding: string[] | null
}

export interface CollectorState {
  entry: string
  feed_id: string
  url: string
  cursor: Json
  updated_at: Timestamp
}

export interface CveAffected {
  product_id: number
  cve_id: string
}

export interface CveAlertThreshold {
  only_row: Defaulted<boolean>
  threshold: number
}

export interface CveCrossings {
  cve_id: string
  generation: number
  armed: boolean
}

export interface CvePriorityHistory {
  id: number
  cve_id: string
  at: Timestamp
  old_priority: 'P0' | 'P1' | 'P2' | 'P3'
  new_priority: 'P0' | 'P1' | 'P2' | 'P3'
  old_score: number
  new_score: number
  reason: string
}

export interface CveProducts {
  id: number
  vendor: string
  product: string
  keys: string[]
}

export interface CveRequestSlots {
  host: string
  free_at: Timestamp
}

export interface CveSources {
  source: 'NVD' | 'KEV' | 'EPSS'
  version: string | null
  data_day: string | null
  updated_at: Timestamp
}

export interface CveSyncs {
  source: 'NVD' | 'KEV' | 'EPSS'
  started_at: Timestamp
  succeeded_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  error: string | null
  is_baselined: Defaulted<boolean>
  checkpoint: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_from: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_to: ColumnType<Date | null, Date | string | null, Date | string | null>
  window_index: number | null
  window_total: number | null
  window_read_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  walk_records: Defaulted<number>
  etag: string | null
  last_modified: string | null
}

export interface Cves {
  id: string
  status: string
  published: Timestamp
  last_modified: Timestamp
  description: string
  tags: string[]
  cwes: string[]
  cvss: number | null
  cvss_version: string | null
  cvss_vector: string | null
  cvss_source: string | null
  ssvc: Json | null
  exploit: boolean
  reference_list: string
  configurations: string
  affected: string
  digest: string
  score: number
  priority: 'P0' | 'P1' | 'P2' | 'P3'
  words: string
}

export interface EpssScores {
  cve_id: string
  probability: number
  percentile: number
}

export interface ExclusionLengths {
  family: number
  length: number
}

export interface Exclusions {
  id: string
  kind: 'VALUE' | 'DOMAIN' | 'NETWORK' | 'HOST'
  type: string | null
  value: string
  network: string | null
  reason: string
  created_by: string
  created_at: Timestamp
  ends_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  list_id: string | null
  list_name: string | null
}

export interface FeedOverlaps {
  feed_id: string
  other_id: string
  shared_count: number
}

export interface FeedQuality {
  feed_id: string
  held: number
  unique_count: number
  compared_count: number
  first_count: number
  lead_seconds: number | null
  row_count: number
  rejected_count: number
  run_count: number
  changed_count: number
  warned_count: number
}

export interface FeedWarnings {
  feed_id: string
  list_id: string
  hit_count: number
  examples: Json
}

export interface IncidentAlerts {
  incident_id: string
  alert_id: string
}

export interface IncidentCves {
  incident_id: string
  cve_id: string
  linked_at: Timestamp
}

export interface IncidentEvents {
  incident_id: Fixed<string>
  seq: Fixed<number>
  version: Fixed<number>
  at: Fixed<Timestamp>
  kind: Fixed<'CREATED' | 'TITLE_CHANGED' | 'SEVERITY_CHANGED' | 'STATUS_CHANGED' | 'CLOSED' | 'REOPENED' | 'ASSIGNED' | 'ESCALATED' | 'COMMENT' | 'ACTION_DECLARED' | 'IOC_LINKED' | 'IOC_UNLINKED' | 'CVE_LINKED' | 'CVE_UNLINKED'>
  actor_id: Fixed<string | null>
  actor_name: Fixed<string>
  from_value: Fixed<string | null>
  to_value: Fixed<string | null>
  indicator_id: Fixed<string | null>
  resolution: Fixed<'TRUE_POSITIVE_IMPACT' | 'TRUE_POSITIVE_NO_IMPACT' | 'FALSE_POSITIVE' | 'DUPLICATE' | 'NOT_APPLICABLE' | null>
  note: Fixed<string | null>
}

export interface IncidentIndicators {
  incident_id: string
  indicator_id: string
  linked_at: Timestamp
}

export interface Incidents {
  id: string
  title: string
  description: Defaulted<string>
  status: Defaulted<'OPEN' | 'ANALYSIS' | 'CONTAINMENT' | 'ERADICATION' | 'RECOVERY' | 'CLOSED'>
  severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  level: Defaulted<'L1' | 'L2' | 'L3'>
  assignee_id: string | null
  resolution: 'TRUE_POSITIVE_IMPACT' | 'TRUE_POSITIVE_NO_IMPACT' | 'FALSE_POSITIVE' | 'DUPLICATE' | 'NOT_APPLICABLE' | null
  summary: string | null
  version: Defaulted<number>
  event_count: Defaulted<number>
  reopen_count: Defaulted<number>
  opened_by_id: string | null
  opened_by: string
  created_at: Timestamp
  acknowledged_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  closed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  updated_at: Timestamp
}

export interface IndicatorLifetimes {
  type: string
  phishing: boolean
  half_life_days: number
  ttl_days: number
}

export interface IndicatorSources {
  source_id: string
  indicator_id: string
  first_seen: Timestamp
  listed_from: number | null
  last_listed_at: Timestamp
  hits: Defaulted<number>
  hash_a: number
  hash_b: number
  digest: number | null
  severity: string | null
  tags: string[] | null
  description: string | null
  reported_first_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  reported_last_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  valid_until: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface Indicators {
  id: string
  type: 'IPV4' | 'IPV6' | 'NETWORK' | 'DOMAIN' | 'URL' | 'HASH' | 'EMAIL'
  value: string
  severity: 'INFO' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  first_seen: Timestamp
  expired_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  excluded_until: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface KevEntries {
  cve_id: string
  vendor_project: string
  product: string
  name: string
  date_added: string
  due_date: string | null
  required_action: string
  ransomware: boolean
}

export interface NetworkLengths {
  family: number
  length: number
}

export interface ProductAliases {
  id: string
  vendor: string
  product: string
  name: string
  created_at: Timestamp
  created_by: string
}

export interface QualityReports {
  id: number
  started_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  computed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  duration_ms: number | null
  listed: Defaulted<number>
  inputs: Defaulted<string>
}

export interface RefreshTokens {
  digest: Buffer
  session_id: string
  issued_at: Timestamp
  expires_at: Timestamp
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface ReliabilityWeights {
  reliability: string
  weight: number
}

export interface Sessions {
  id: string
  user_id: string
  created_at: Timestamp
  last_used_at: Timestamp
  expires_at: Timestamp
  revoked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  revoked_reason: 'logout' | 'replaced' | 'ended_by_user' | 'revoked' | 'reuse_detected' | 'password_reset' | 'password_changed' | 'account_disabled' | null
  client_ip: string | null
  user_agent: string | null
}

export interface SourceSightings {
  indicator_id: string
  source_id: string
  kind: string
  name: string
  reliability: string
  feed_type: string
  weight: number
  first_seen: Timestamp
  last_seen: Timestamp
  hits: number
  listed: boolean
  severity: string | null
  tags: string[] | null
  description: string | null
  reported_first_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  reported_last_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  valid_until: Timestamp
}

export interface Sources {
  id: string
  kind: 'FEED' | 'ANALYST'
  name: string
  feed_type: Defaulted<string>
  reliability: Defaulted<'A' | 'B' | 'C' | 'D' | 'E' | 'F'>
  run_no: Defaulted<number>
  run_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  listed: Defaulted<number>
  retired_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface ThreatFeeds {
  id: string
  url: string
  format: 'CSV' | 'JSON' | 'STIX' | 'TAXII' | 'PULSE'
  status: Defaulted<'PENDING' | 'HEALTHY' | 'DEGRADED'>
  is_active: Defaulted<boolean>
  frequency: Defaulted<number>
  parser: Defaulted<Json>
  tlp: Defaulted<'CLEAR' | 'GREEN' | 'AMBER' | 'AMBER+STRICT' | 'RED'>
  licence: string | null
  homepage: string | null
  last_successful_run: ColumnType<Date | null, Date | string | null, Date | string | null>
  last_error: string | null
  postponed_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  etag: string | null
  last_modified: string | null
  body_digest: string | null
  collecting_run: string | null
  version: Defaulted<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface Users {
  id: string
  username: string
  email: string | null
  password_hash: string
  role: 'ADMIN' | 'ANALYST' | 'VIEWER'
  status: Defaulted<'ACTIVE' | 'DISABLED'>
  version: Defaulted<number>
  created_at: Timestamp
  updated_at: Timestamp
  last_login_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WarningListEntries {
  list_id: string
  kind: 'EXACT' | 'HOST' | 'BELOW' | 'NETWORK' | 'SUBSTRING' | 'PATTERN'
  entry: string
  network: string | null
}

export interface WarningListLengths {
  list_id: string
  family: number
  length: number
}

export interface WarningLists {
  id: string
  name: string
  description: string | null
  type: 'CIDR' | 'HOSTNAME' | 'STRING' | 'SUBSTRING' | 'REGEX'
  list_version: number | null
  applies_to: string[]
  entry_count: number
  skipped: Defaulted<Json>
  digest: string
  revision: Defaulted<number>
  imported_at: Timestamp
}

export interface Database {
  alert_deliveries: AlertDeliveries
  alerts: Alerts
  audit_events: AuditEvents
  collection_runs: CollectionRuns
  collector_state: CollectorState
  cve_affected: CveAffected
  cve_alert_threshold: CveAlertThreshold
  cve_crossings: CveCrossings
  cve_priority_history: CvePriorityHistory
  cve_products: CveProducts
  cve_request_slots: CveRequestSlots
  cve_sources: CveSources
  cve_syncs: CveSyncs
  cves: Cves
  epss_scores: EpssScores
  exclusion_lengths: ExclusionLengths
  exclusions: Exclusions
  feed_overlaps: FeedOverlaps
  feed_quality: FeedQuality
  feed_warnings: FeedWarnings
  incident_alerts: IncidentAlerts
  incident_cves: IncidentCves
  incident_events: IncidentEvents
  incident_indicators: IncidentIndicators
  incidents: Incidents
  indicator_lifetimes: IndicatorLifetimes
  indicator_sources: IndicatorSources
  indicators: Indicators
  kev_entries: KevEntries
  network_lengths: NetworkLengths
  product_aliases: ProductAliases
  quality_reports: QualityReports
  refresh_tokens: RefreshTokens
  reliability_weights: ReliabilityWeights
  sessions: Sessions
  source_sightings: SourceSightings
  sources: Sources
  threat_feeds: ThreatFeeds
  users: Users
  warning_list_entries: WarningListEntries
  warning_list_lengths: WarningListLengths
  warning_lists: WarningLists
}

/** Tables whose rows never change. */
export const APPEND_ONLY_TABLES = ['audit_events', 'incident_events'] as const satisfies readonly (keyof Database)[]
