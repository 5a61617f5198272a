import type pg from 'pg'
import { type AccountsService, createAccountsService } from '#domains/accounts/accounts.service.ts'
import { createAnalystsService } from '#domains/accounts/analysts.service.ts'
import { createLoginLimiter } from '#domains/accounts/login-limiter.service.ts'
import { createSessionRolesService, type SessionRolesService } from '#domains/accounts/session-roles.service.ts'
import { createSessionsService, type SessionsService } from '#domains/accounts/sessions.service.ts'
import { type AlertsService, createAlertsService } from '#domains/alerts/alerts.service.ts'
import { createDeliveriesService, type DeliveriesDeps, type DeliveriesService } from '#domains/alerts/deliveries.service.ts'
import { type AuditService, createAuditService } from '#domains/audit/audit.service.ts'
import { createJournalService, type JournalService } from '#domains/audit/journal.service.ts'
import { createExclusionsService, type ExclusionsService } from '#domains/exclusions/exclusions.service.ts'
import { type CollectService, createCollectService } from '#domains/feeds/collecting/collect.service.ts'
import { createFeedFiguresService, type FeedFiguresService } from '#domains/feeds/feed-figures.service.ts'
import { createFeedsService, type FeedsService } from '#domains/feeds/feeds.service.ts'
import { createProbeService, type ProbeService } from '#domains/feeds/probe.service.ts'
import { parsePulseBase } from '#domains/feeds/pulse/pulse-address.ts'
import { createPulseClient } from '#domains/feeds/pulse/pulse-client.service.ts'
import { createPulsePages } from '#domains/feeds/pulse/pulse-pages.service.ts'
import { createQualityService, type QualityService } from '#domains/feeds/quality/quality.service.ts'
import { createTaxiiService, type TaxiiService } from '#domains/feeds/taxii/taxii.service.ts'
import { parseTaxiiAuth } from '#domains/feeds/taxii/taxii-auth.ts'
import { createTaxiiClient } from '#domains/feeds/taxii/taxii-client.service.ts'
import { createTaxiiPages } from '#domains/feeds/taxii/taxii-pages.service.ts'
import { createIncidentChanges } from '#domains/incidents/incident-changes.service.ts'
import { createIncidentLinks, type IncidentLinksService } from '#domains/incidents/incident-links.service.ts'
import { createIncidentReading, type IncidentReading, incidentsOfCve } from '#domains/incidents/incident-reading.service.ts'
import { createIncidentsService, type IncidentsService } from '#domains/incidents/incidents.service.ts'
import { createIndicatorsService, type IndicatorsService } from '#domains/indicators/indicators.service.ts'
import { createListingService } from '#domains/indicators/listing.service.ts'
import { createSightingsService } from '#domains/indicators/sightings.service.ts'
import { sourcesService } from '#domains/indicators/sources.service.ts'
import { createSocService, type SocService } from '#domains/soc/soc.service.ts'
import { type AffectedService, createAffectedService } from '#domains/vulnerabilities/affected.service.ts'
import { type CrossingsService, createCrossingsService } from '#domains/vulnerabilities/crossings.service.ts'
import { createCveFacts } from '#domains/vulnerabilities/cve-facts.service.ts'
import { type CvesService, createCvesService } from '#domains/vulnerabilities/cves.service.ts'
import { type CvesImportService, createCvesImportService } from '#domains/vulnerabilities/cves-import.service.ts'
import { type CvesSyncService, createCvesSyncService } from '#domains/vulnerabilities/cves-sync.service.ts'
import { createNvdSyncService } from '#domains/vulnerabilities/nvd-sync.service.ts'
import { createProductAliasesService, type ProductAliasesService } from '#domains/vulnerabilities/product-aliases.service.ts'
import { createScoresService, type ScoresService } from '#domains/vulnerabilities/scores.service.ts'
import { createKevEpssClient } from '#domains/vulnerabilities/sources/kev-epss-client.service.ts'
import { createNvdClient, type NvdClientDeps } from '#domains/vulnerabilities/sources/nvd-client.service.ts'
import { createWarningListsService, type WarningListsService } from '#domains/warning-lists/warning-lists.service.ts'
import { type Clock, systemClock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Config } from '#platform/config/settings.ts'
import { createAccessTokens } from '#platform/crypto/access-token.ts'
import { type Db, openDatabase, openPool } from '#platform/database/database.ts'
import { createLeases } from '#platform/database/leased-connection.ts'
import { createEventBus, type EventBus } from '#platform/events/event-bus.ts'
import { postgresqlTransport, redisTransport } from '#platform/events/transports.ts'
import { createAdvisoryLocks } from '#platform/jobs/advisory-locks.ts'
import { LOCK_TTL_MS, type Locks } from '#platform/jobs/locks.ts'
import { createRedisLocks } from '#platform/jobs/redis-locks.ts'
import { createSharedStore } from '#platform/limits/shared-store.ts'
import type { Logging } from '#platform/logging/logger.ts'
import { parseAllowedHosts } from '#platform/outbound/allowed-hosts.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { openRedis, type RedisConnection } from '#platform/redis/redis.ts'
import { SECRET_KEY_MIN_LENGTH } from './production-rules.ts'
import { requireSafeSettings } from './setting-rules.ts'
import { VERSION } from './version.ts'
import { webhookHosts } from './webhook-hosts.ts'

/** Connections of a process. The pool is small: one API process serves hundreds of readers with it. */
const POOL_CONNECTIONS = 10
/** Of these, connections that lists may be compared and written on at once; the rest stays free for short statements. Source: docs/decisions/0010. */
const LEASED_CONNECTIONS = 4

/** Every use case of the product, wired once per process. */
export type Services = {
  db: Db
  pool: pg.Pool
  redis: RedisConnection | undefined
  locks: Locks
  /** Live events; API and workers share them. */
  events: EventBus
  accounts: AccountsService
  sessions: SessionsService
  sessionRoles: SessionRolesService
  audit: AuditService
  journal: JournalService
  indicators: IndicatorsService
  warningLists: WarningListsService
  exclusions: ExclusionsService
  feeds: FeedsService
  feedFigures: FeedFiguresService
  quality: QualityService
  collect: CollectService
  probe: ProbeService
  taxii: TaxiiService
  cves: CvesService
  cvesImport: CvesImportService
  cveScores: ScoresService
  cvesSync: CvesSyncService
  crossings: CrossingsService
  cvesAffected: AffectedService
  productAliases: ProductAliasesService
  alerts: AlertsService
  deliveries: DeliveriesService
  incidents: IncidentsService
  soc: SocService
  incidentLinks: IncidentLinksService
  incidentReading: IncidentReading
  /** Stops running work, then lets go of every connection. */
  close(): Promise<void>
}

/** Other than the defaults only where tests must not wait. */
export type Pace = {
  clock?: Clock
  lockTtlMs?: number
  webhook?: Pick<DeliveriesDeps, 'waitsMs' | 'timeoutMs'>
  nvd?: Pick<NvdClientDeps, 'wait' | 'clock'>
}

/** @throws setting_invalid when DATABASE_URL is missing */
export async function createServices(
  config: Config,
  logging: Logging,
  applicationName: string,
  { clock = systemClock, lockTtlMs = LOCK_TTL_MS, webhook: webhookPace = {}, nvd: nvdPace = {} }: Pace = {},
): Promise<Services> {
  if (config.DATABASE_URL === undefined)
    throw new DomainError(
      'setting_invalid',
      'DATABASE_URL is not set. Run `svc up` for an embedded database, or name a PostgreSQL 16 database.',
    )
  // Each command looks at its settings before it opens anything; this is the wall behind that.
  requireSafeSettings(config, { embedded: false })
  const pool = openPool(config.DATABASE_URL, { maxConnections: POOL_CONNECTIONS, applicationName })
  const db = openDatabase(pool)
  const redis =
    config.REDIS_URL === undefined ? undefined : await openRedis(config.REDIS_URL, logging.for('svc.worker'), config.REDIS_PASSWORD)
  const lockLog = logging.for('svc.collector')
  const withoutStore = createAdvisoryLocks({ databaseUrl: config.DATABASE_URL, log: lockLog, ttlMs: lockTtlMs })
  const locks: Locks =
    redis === undefined ? withoutStore : createRedisLocks({ redis: redis.client, log: lockLog, withoutStore, ttlMs: lockTtlMs })
  const events = createEventBus({
    transport:
      redis === undefined || config.REDIS_URL === undefined
        ? postgresqlTransport({ databaseUrl: config.DATABASE_URL })
        : redisTransport({ client: redis.client, url: config.REDIS_URL, password: config.REDIS_PASSWORD }),
    log: logging.for('svc.worker'),
    clock,
  })
  const securityLog = logging.for('svc.security')
  const limiter = createLoginLimiter({
    log: securityLog,
    store: redis === undefined ? undefined : createSharedStore({ client: redis.client, log: securityLog }),
  })
  const audit = createAuditService({ db, log: logging.for('svc.audit'), clock })
  const log = logging.for('svc.collector')
  const outbound = createOutbound({ allowHosts: parseAllowedHosts(config.OUTBOUND_ALLOW_HOSTS), userAgent: `svc/${VERSION}`, log })
  const pulseBase = parsePulseBase(config.PULSE_BASE_URL)
  const feedParts = {
    db,
    log,
    clock,
    audit,
    outbound,
    feedKeys: config.feedKeys,
    maxBytes: config.FEED_MAX_BYTES,
    pulseBase,
    atOnce: config.COLLECTIONS_AT_ONCE,
  }
  const leases = createLeases(pool, LEASED_CONNECTIONS)
  const listing = createListingService({ leases, log, clock })
  const sightings = createSightingsService({ leases, log })
  const client = createTaxiiClient({
    outbound,
    auth: parseTaxiiAuth(config.TAXII_AUTH),
    feedKeys: config.feedKeys,
    maxBytes: config.FEED_MAX_BYTES,
  })
  const taxii = createTaxiiService({ outbound, client })
  const vulnerabilityLog = logging.for('svc.cve')
  const taxiiPages = createTaxiiPages({ client, taxii, clock })
  const pulsePages = createPulsePages({
    client: createPulseClient({
      outbound,
      base: pulseBase,
      apiKey: config.PULSE_API_KEY,
      feedKeys: config.feedKeys,
      maxBytes: config.FEED_MAX_BYTES,
    }),
    base: pulseBase,
    clock,
    maxPages: config.PULSE_MAX_PAGES,
  })
  const pages = { TAXII: taxiiPages.open, PULSE: pulsePages.open }
  const collect = createCollectService({ ...feedParts, listing, sightings, pages, locks, events })
  const warningLists = createWarningListsService({ db, log, clock, audit })
  const exclusions = createExclusionsService({ db, log, clock, audit, events, warningLists })
  const quality = createQualityService({ db, leases, log, clock, audit, locks, warningLists })
  const webhookOutbound = createOutbound({ allowHosts: webhookHosts(config), userAgent: `svc/${VERSION}`, log })
  const webhook =
    config.ALERT_WEBHOOK_URL === undefined
      ? undefined
      : { url: config.ALERT_WEBHOOK_URL, secret: config.ALERT_WEBHOOK_SECRET, publicUrl: config.PUBLIC_URL }
  const cveParts = { db, pool, log: vulnerabilityLog, clock, audit }
  const alerts = createAlertsService({ ...cveParts, events, hasWebhook: webhook !== undefined, describeCves: createCveFacts(db) })
  const crossings = createCrossingsService({ alerts, threshold: config.RISK_ALERT_THRESHOLD })
  const cveScores = createScoresService({ ...cveParts, crossings })
  const nvdClient = createNvdClient({
    ...{ db, outbound, log: vulnerabilityLog, url: config.VULNDB_API_URL, apiKey: config.VULNDB_API_KEY },
    ...nvdPace,
  })
  const cvesSync = createCvesSyncService({
    ...cveParts,
    locks,
    crossings,
    scores: cveScores,
    nvd: createNvdSyncService({ ...cveParts, alerts, crossings, client: nvdClient, initialDays: config.VULNDB_INITIAL_DAYS }),
    client: createKevEpssClient({
      outbound,
      kevUrl: config.KEV_CATALOG_URL,
      epssCsvUrl: config.EPSS_CSV_URL,
      epssApiUrl: config.EPSS_API_URL,
    }),
    intervalSeconds: config.CVE_SYNC_INTERVAL_SECONDS,
  })
  const indicators = createIndicatorsService({
    db,
    log,
    clock,
    audit,
    findWarnings: warningLists.warningsOn,
    findExclusions: exclusions.covering,
  })
  const productAliases = createProductAliasesService(cveParts)
  const cves = createCvesService({ db, clock, alerts, incidentsOf: incidentsOfCve(db), listAliases: productAliases.list })
  const analysts = createAnalystsService({ db })
  const incidentParts = { db, log: logging.for('svc.worker'), clock, audit, events, cves, indicators, alerts, analysts }
  const changes = createIncidentChanges(incidentParts)
  return {
    db,
    pool,
    redis,
    locks,
    events,
    sessionRoles: createSessionRolesService({ db, clock }),
    audit,
    journal: createJournalService({ db, clock }),
    accounts: createAccountsService({
      db,
      log: securityLog,
      clock,
      audit,
      limiter,
    }),
    sessions: createSessionsService({
      db,
      log: securityLog,
      clock,
      audit,
      tokens: createAccessTokens({ secretKey: requireSecret(config), previousKey: config.SECRET_KEY_PREVIOUS, clock }),
      limiter,
    }),
    indicators,
    warningLists,
    exclusions,
    quality,
    feeds: createFeedsService({ ...feedParts, sources: sourcesService, locks }),
    feedFigures: createFeedFiguresService({ db, clock }),
    collect,
    probe: createProbeService({ ...feedParts, firstPage: { TAXII: taxiiPages.first, PULSE: pulsePages.first } }),
    taxii,
    cves,
    cvesImport: createCvesImportService({ ...cveParts, alerts, scores: cveScores, crossings }),
    cveScores,
    cvesSync,
    crossings,
    cvesAffected: createAffectedService(cveParts),
    productAliases,
    alerts,
    deliveries: createDeliveriesService({ ...cveParts, ...webhookPace, outbound: webhookOutbound, webhook }),
    soc: createSocService({ db, clock }),
    incidents: createIncidentsService({ ...incidentParts, changes }),
    incidentLinks: createIncidentLinks({ ...incidentParts, changes }),
    incidentReading: createIncidentReading(incidentParts),
    async close() {
      await Promise.all([collect.stop(), quality.stop()])
      await events.close()
      await locks.close()
      await Promise.all([outbound.close(), webhookOutbound.close()])
      await redis?.close()
      await db.destroy()
    },
  }
}

function requireSecret({ SECRET_KEY }: Config): string {
  if (SECRET_KEY === undefined || SECRET_KEY.length < SECRET_KEY_MIN_LENGTH)
    throw new DomainError(
      'setting_invalid',
      `SECRET_KEY must be set, to at least ${SECRET_KEY_MIN_LENGTH} random characters. \`openssl rand -hex 32\` makes one.`,
    )
  return SECRET_KEY
}
