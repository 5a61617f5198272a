import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { type Clock, MS_PER_DAY } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { addressScope } from '#kernel/ip.ts'
import { createRememberedTotals, type Total } from '#kernel/remembered-totals.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { confidenceLevel } from './confidence-level.ts'
import { tryParseIndicatorType } from './indicator-type.ts'
import {
  type ConfidenceLevel,
  type ExclusionNote,
  type FindExclusions,
  type FindWarnings,
  INDICATOR_PAGE_ROWS,
  INDICATOR_TYPES,
  type IndicatorType,
  REJECTION_EXAMPLES,
  type Relation,
  SEVERITIES,
  type Severity,
  SUBMISSION_MAX_ITEMS,
  type Warning,
} from './indicators.model.ts'
import {
  countIndicators,
  findIndicator,
  getStanding,
  type IndicatorFilter,
  type IndicatorRow,
  listNamed,
  listSightings,
  markExpired,
  type NamedIndicator,
  pageIndicators,
  type SightingRow,
} from './indicators.store.ts'
import { type AddressProbe, findClosest, type Probe } from './lookup.store.ts'
import { lookupProbes } from './lookup-probes.ts'
import { hashAlgorithm } from './normalization/normalize-hash.ts'
import { normalizeIndicator } from './normalize.ts'
import { keepPurgesOut } from './orphans.store.ts'
import { type SubmittedIndicator, saveSubmission } from './submission.store.ts'

export type IndicatorQuery = {
  type?: string
  severity?: string
  min_severity?: string
  min_confidence?: number
  feed_id?: string
  active?: boolean
  excluded?: boolean
  value?: string
  cursor?: string
}
export type Indicator = Omit<IndicatorRow, 'excluded'> & {
  hash_algorithm: string | null
  confidence_level: ConfidenceLevel
  /** What keeps it out now. */
  exclusion: ExclusionNote | null
}
export type IndicatorPage = { items: Indicator[]; total: number; total_exact: boolean; next: string | null; searched_value: string | null }
export type ConfidenceBreakdown = {
  sources: { points: number; max: number; weights: number[] }
  freshness: { points: number; max: number; age_days: number; half_life_days: number; ttl_days: number }
  recurrence: { points: number; max: number; hit_count: number }
  total: number
}
export type IndicatorDetail = Indicator & {
  sources: SightingRow[]
  confidence_breakdown: ConfidenceBreakdown
  notes: string[]
  warnings: Warning[]
}

export type SubmissionItem = { value: string; type?: string; severity?: string; tags?: string[]; description?: string }
export type SubmissionResult = {
  created: number
  updated: number
  duplicates: number
  rejected: number
  rejections: { index: number; value: string; code: string; reason: string }[]
}
export type LookupItem = {
  input: string
  status: 'known' | 'excluded' | 'unknown' | 'rejected'
  type: IndicatorType | null
  value: string | null
  reason: string | null
  relation: Relation | null
  indicator: Indicator | null
  /** Of an excluded value: what keeps it out. */
  exclusion: ExclusionNote | null
  warnings: Warning[]
}

const ACTIVE: IndicatorFilter = { active: true }

export type IndicatorsService = {
  /** How many are neither expired nor excluded; an estimate above 10 000. */
  countActive(): Promise<Total>
  /** Excluded ones only where they are asked for, by `excluded`, `active` or their value. @throws validation_failed naming the field */
  page(query: IndicatorQuery): Promise<IndicatorPage>
  /** @throws not_found */
  get(id: string): Promise<IndicatorDetail>
  /** Stores at most 1000 values as the analysts' own; a bad value is rejected alone. @throws batch_too_large */
  submit(actor: Actor, items: SubmissionItem[]): Promise<SubmissionResult>
  /** What is known of each value, in input order: itself, a range around it, a domain above it, or a URL's host; or what keeps it out. */
  lookup(values: string[]): Promise<LookupItem[]>
  /** Those of the indicators that are stored; none of them is purged before the caller's transaction ends. */
  identify(tx: Tx, ids: readonly string[]): Promise<NamedIndicator[]>
  /** Marks what has expired, in stretches so that no lock is held long. */
  markExpired(signal: AbortSignal): Promise<{ marked: number; unmarked: number }>
}

const EXPIRY_STRETCH_ROWS = 5000
/** Walks of one request over rows that a filter on computed figures may all leave out. Assumption: about a second in all. */
const WALKS_PER_PAGE = 8
/** Points that each part of the confidence can reach. Source: spec, "Confidence score". */
const SOURCES_MAX = 60
const FRESHNESS_MAX = 30
const RECURRENCE_MAX = 10
/** Characters of a rejected value that are echoed. */
const ECHO_CHARACTERS = 200

export function createIndicatorsService({
  db,
  log,
  clock,
  audit,
  findWarnings,
  findExclusions,
}: {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  findWarnings: FindWarnings
  findExclusions: FindExclusions
}): IndicatorsService {
  const totals = createRememberedTotals(clock)

  /** Rows as they are told of, each with what keeps it out. */
  async function withExclusions<Row extends IndicatorRow>(rows: readonly Row[]): Promise<(Omit<Row, 'excluded'> & Indicator)[]> {
    const kept = rows.filter(({ excluded }) => excluded)
    const exclusions = kept.length === 0 ? [] : await findExclusions(kept)
    const exclusionOf = new Map(kept.map(({ id }, at) => [id, exclusions[at] ?? null]))
    return rows.map((row) => toIndicator(row, exclusionOf.get(row.id) ?? null))
  }

  return {
    async countActive() {
      const asOf = clock()
      return await totals.of(ACTIVE, async () => await countIndicators(db, ACTIVE, asOf))
    },

    async page(query) {
      const asOf = clock()
      const parsed = parseFilter(query)
      if (parsed === 'nothing') return { items: [], total: 0, total_exact: true, next: null, searched_value: null }
      const after = query.cursor === undefined ? undefined : parseCursor(query.cursor)
      const { rows, stoppedAt } = await fillPage(db, parsed, { after, asOf })
      const { total, exact } = await totals.of(parsed, async () => await countIndicators(db, parsed, asOf))
      const items = await withExclusions(rows.slice(0, INDICATOR_PAGE_ROWS))
      const last = rows.length > INDICATOR_PAGE_ROWS ? items.at(-1)?.id : stoppedAt
      return {
        items,
        total,
        total_exact: exact,
        next: last === undefined ? null : toCursor(last),
        searched_value: parsed.exact?.value ?? null,
      }
    },

    async get(id) {
      const asOf = clock()
      const row = await findIndicator(db, id, asOf)
      if (row === undefined) throw new DomainError('not_found', 'There is no indicator with this id.')
      const [sources, standing, [warnings = []], [indicator]] = await Promise.all([
        listSightings(db, row),
        getStanding(db, row, asOf),
        findWarnings([row]),
        withExclusions([row]),
      ])
      if (indicator === undefined) throw new Error('one row in gives one row out')
      const ageDays = (sighting: SightingRow) => Math.max(0, asOf.getTime() - sighting.last_seen.getTime()) / MS_PER_DAY
      const freshest = sources.reduce((best, next) =>
        0.5 ** (ageDays(next) / next.half_life_days) > 0.5 ** (ageDays(best) / best.half_life_days) ? next : best,
      )
      return {
        ...indicator,
        sources,
        confidence_breakdown: {
          sources: { points: standing.source_points, max: SOURCES_MAX, weights: sources.map(({ weight }) => weight) },
          freshness: {
            points: standing.freshness_points,
            max: FRESHNESS_MAX,
            age_days: ageDays(freshest),
            half_life_days: freshest.half_life_days,
            ttl_days: freshest.ttl_days,
          },
          recurrence: { points: standing.recurrence_points, max: RECURRENCE_MAX, hit_count: standing.hit_count },
          total: standing.confidence,
        },
        notes: [...notesOn(row), ...warnings.map(warningNote)],
        warnings,
      }
    },

    async submit(actor, items) {
      if (items.length > SUBMISSION_MAX_ITEMS)
        throw new DomainError('batch_too_large', `Send at most ${SUBMISSION_MAX_ITEMS} indicators at once.`)
      const { accepted, duplicates, rejections } = judgeSubmission(items)
      const { created, updated } = await transact(db, log, async (tx) => {
        const saved = accepted.length === 0 ? { created: 0, updated: 0 } : await saveSubmission(tx.db, accepted, clock())
        await audit.record(tx, actor, { action: 'indicators.submitted', details: { ...saved, duplicates, rejected: rejections.length } })
        return saved
      })
      return { created, updated, duplicates, rejected: rejections.length, rejections: rejections.slice(0, REJECTION_EXAMPLES) }
    },

    async identify(tx, ids) {
      await keepPurgesOut(tx.db)
      return await listNamed(tx.db, ids)
    },

    async lookup(values) {
      const judged = values.map((input) => ({ input, verdict: normalizeIndicator(input) }))
      const accepted = judged.flatMap(({ verdict }, n) => (verdict.ok ? [{ n, type: verdict.type, value: verdict.value }] : []))
      const { probes, addresses } = probesFor(accepted)
      const [hits, warnings, exclusions] = await Promise.all([
        findClosest(db, probes, addresses, clock()),
        findWarnings(accepted),
        findExclusions(accepted),
      ])
      const hitOf = new Map((await withExclusions(hits)).map((hit) => [hit.n, hit]))
      const numberOf = new Map(accepted.map(({ n }, at) => [n, at]))
      return judged.map(({ input, verdict }, n) => {
        const at = numberOf.get(n) ?? -1
        const own = exclusions[at] ?? null
        const answer = { input, reason: null, relation: null, indicator: null, exclusion: own, warnings: warnings[at] ?? [] }
        if (!verdict.ok) return { ...answer, status: 'rejected', type: null, value: null, reason: verdict.reason }
        return { ...answer, type: verdict.type, value: verdict.value, ...answerOf(hitOf.get(n), own) }
      })
    },

    async markExpired(signal) {
      const totals = { marked: 0, unmarked: 0 }
      let after: string | undefined
      do {
        const stretch = await markExpired(db, { after, limit: EXPIRY_STRETCH_ROWS, asOf: clock() })
        totals.marked += stretch.marked
        totals.unmarked += stretch.unmarked
        after = stretch.last
      } while (after !== undefined && !signal.aborted)
      return totals
    },
  }
}

/** What is said of a value: what keeps it out comes first, then what is known, and an excluded relative is better than nothing. */
function answerOf(
  hit: (Indicator & { n: number; relation: Relation }) | undefined,
  own: ExclusionNote | null,
): Pick<LookupItem, 'status' | 'relation' | 'indicator' | 'exclusion'> {
  if (hit === undefined || (own !== null && hit.relation !== 'exact'))
    return { status: own === null ? 'unknown' : 'excluded', relation: null, indicator: null, exclusion: own }
  const { n: _n, relation, ...indicator } = hit
  const exclusion = own ?? indicator.exclusion
  return { status: exclusion === null ? 'known' : 'excluded', relation, indicator, exclusion }
}

/** Walks on while a filter on computed figures leaves the page short, up to a bound: beyond it the page stays short and has a next one. */
async function fillPage(
  db: Db,
  filter: IndicatorFilter,
  from: { after: string | undefined; asOf: Date },
): Promise<Awaited<ReturnType<typeof pageIndicators>>> {
  const rows: IndicatorRow[] = []
  let after = from.after
  for (let walk = 0; walk < WALKS_PER_PAGE; walk++) {
    const page = await pageIndicators(db, filter, { after, limit: INDICATOR_PAGE_ROWS + 1 - rows.length, asOf: from.asOf })
    rows.push(...page.rows)
    after = page.stoppedAt
    if (after === undefined) break
  }
  return { rows, stoppedAt: after }
}

function toIndicator<Row extends IndicatorRow>(
  { excluded: _excluded, ...row }: Row,
  exclusion: ExclusionNote | null,
): Omit<Row, 'excluded'> & Indicator {
  return {
    ...row,
    exclusion,
    hash_algorithm: row.type === 'HASH' ? (hashAlgorithm(row.value) ?? null) : null,
    confidence_level: confidenceLevel(row.confidence),
  }
}

function notesOn({ type, value }: IndicatorRow): string[] {
  if (type !== 'IPV4' && type !== 'IPV6') return []
  return addressScope(value) === 'public' ? [] : ['This address is not routable on the public internet.']
}

function warningNote({ list_name, match, entry }: Warning): string {
  return `Stands on the warning list "${list_name}"${match === 'exact' ? '' : ` (${WARNING_WORDS[match]} ${entry})`}: it may be harmless.`
}

const WARNING_WORDS: Record<Exclude<Warning['match'], 'exact'>, string> = {
  host: 'its host is',
  above_host: 'its host is below',
  in_network: 'it lies in',
  around_network: 'it contains',
  substring: 'it contains the text',
  pattern: 'it fits the pattern',
}

/** @returns 'nothing' when the value asked for can be no indicator, so that no row can match */
function parseFilter(query: IndicatorQuery): IndicatorFilter | 'nothing' {
  const filter: IndicatorFilter = {}
  const types = query.type === undefined ? undefined : parseWords('type', query.type, INDICATOR_TYPES)
  if (types !== undefined) filter.types = types
  const severities = parseSeverities(query)
  if (severities !== undefined) filter.severities = severities
  if (query.min_confidence !== undefined) filter.minConfidence = query.min_confidence
  if (query.feed_id !== undefined) filter.sourceId = query.feed_id
  if (query.active !== undefined) filter.active = query.active
  // Whoever asks for a value, for what is excluded or for what is not active gets the excluded ones; every other list goes without them.
  const excluded = query.excluded ?? (query.active === false || query.value !== undefined ? undefined : false)
  if (excluded !== undefined) filter.excluded = excluded
  if (query.value === undefined) return filter
  const verdict = normalizeIndicator(query.value)
  if (!verdict.ok) throw refuseField('value', `This is not a value that can be searched for: ${verdict.reason}`)
  return { ...filter, exact: { type: verdict.type, value: verdict.value } }
}

function parseSeverities({ severity, min_severity }: IndicatorQuery): Severity[] | undefined {
  const named = severity === undefined ? undefined : parseWords('severity', severity, SEVERITIES)
  if (min_severity === undefined) return named
  const [lowest] = parseWords('min_severity', min_severity, SEVERITIES)
  const enough = SEVERITIES.slice(SEVERITIES.indexOf(lowest ?? 'INFO'))
  return named === undefined ? enough : enough.filter((word) => named.includes(word))
}

function parseWords<Word extends string>(field: string, text: string, allowed: readonly Word[]): Word[] {
  return text.split(',').map((part) => {
    const word = allowed.find((candidate) => candidate === part.trim().toUpperCase())
    if (word === undefined) throw refuseField(field, `"${part.slice(0, 40)}" is not one of ${allowed.join(', ')}.`)
    return word
  })
}

function judgeSubmission(items: SubmissionItem[]): {
  accepted: SubmittedIndicator[]
  duplicates: number
  rejections: SubmissionResult['rejections']
} {
  const accepted = new Map<string, SubmittedIndicator>()
  const rejections: SubmissionResult['rejections'] = []
  let duplicates = 0
  for (const [index, item] of items.entries()) {
    const verdict = judgeItem(item)
    if ('reason' in verdict) {
      rejections.push({ index, value: item.value.slice(0, ECHO_CHARACTERS), code: verdict.code, reason: verdict.reason })
      continue
    }
    const key = `${verdict.type} ${verdict.value}`
    const earlier = accepted.get(key)
    if (earlier !== undefined) duplicates++
    accepted.set(key, earlier === undefined ? verdict : mergeSubmitted(earlier, verdict))
  }
  return { accepted: [...accepted.values()], duplicates, rejections }
}

function judgeItem({ value, type, severity, tags, description }: SubmissionItem): SubmittedIndicator | { code: string; reason: string } {
  const kind = type === undefined ? undefined : tryParseIndicatorType(type)
  if (type !== undefined && kind === undefined)
    return { code: 'type_mismatch', reason: `"${type}" is not a type; use one of ${INDICATOR_TYPES.join(', ')}, or leave it out.` }
  if (kind === 'UNSUPPORTED') return { code: 'unsupported', reason: `Indicators of the type "${type}" are not held here.` }
  const level = severity === undefined ? 'MEDIUM' : SEVERITIES.find((word) => word === severity.toUpperCase())
  if (level === undefined)
    return { code: 'severity_invalid', reason: `"${severity}" is not a severity; use one of ${SEVERITIES.join(', ')}.` }
  const verdict = normalizeIndicator(value, kind)
  if (!verdict.ok) return verdict
  return {
    id: newId(),
    type: verdict.type,
    value: verdict.value,
    severity: level,
    tags: [...new Set(tags ?? [])].sort(),
    description: description ?? null,
  }
}

function mergeSubmitted(first: SubmittedIndicator, second: SubmittedIndicator): SubmittedIndicator {
  return {
    ...first,
    severity: SEVERITIES.indexOf(second.severity) > SEVERITIES.indexOf(first.severity) ? second.severity : first.severity,
    tags: [...new Set([...first.tags, ...second.tags])].sort(),
    description: first.description ?? second.description,
  }
}

/** Distances order the relations: the value itself, then a URL's host, then names above from near to far; ranges from narrow to wide come last. */
function probesFor(accepted: readonly { n: number; type: IndicatorType; value: string }[]): { probes: Probe[]; addresses: AddressProbe[] } {
  const probes: Probe[] = []
  const addresses: AddressProbe[] = []
  for (const { n, type, value } of accepted) {
    probes.push({ n, relation: 'exact', distance: 0, type, value })
    const { parents, host, address } = lookupProbes(type, value)
    if (host !== undefined) probes.push({ n, relation: 'host_of_url', distance: 1, ...host })
    for (const [depth, parent] of parents.entries())
      probes.push({ n, relation: 'subdomain_of', distance: 2 + depth, type: 'DOMAIN', value: parent })
    if (address !== undefined) addresses.push({ n, distance: RANGE_DISTANCE, address })
  }
  return { probes, addresses }
}

/** Farther than the deepest name (127 labels). */
const RANGE_DISTANCE = 1000
