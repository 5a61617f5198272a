import { createAuditService } from '#domains/audit/audit.service.ts'
import { type CollectService, createCollectService } from '#domains/feeds/collecting/collect.service.ts'
import { createFeedsService, type FeedsService } from '#domains/feeds/feeds.service.ts'
import { createProbeService, type ProbeService } from '#domains/feeds/probe.service.ts'
import { createPulseClient } from '#domains/feeds/pulse/pulse-client.service.ts'
import { createPulsePages } from '#domains/feeds/pulse/pulse-pages.service.ts'
import { createTaxiiService, type TaxiiService } from '#domains/feeds/taxii/taxii.service.ts'
import { parseTaxiiAuth } from '#domains/feeds/taxii/taxii-auth.ts'
import { createTaxiiClient } from '#domains/feeds/taxii/taxii-client.service.ts'
import { createTaxiiPages } from '#domains/feeds/taxii/taxii-pages.service.ts'
import { createListingService } from '#domains/indicators/listing.service.ts'
import { createSightingsService } from '#domains/indicators/sightings.service.ts'
import { sourcesService } from '#domains/indicators/sources.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { type Db, openDatabase, openPool } from '#platform/database/database.ts'
import { createLeases } from '#platform/database/leased-connection.ts'
import { createAdvisoryLocks } from '#platform/jobs/advisory-locks.ts'
import type { Log, LogFields } from '#platform/logging/logger.ts'
import { parseAllowedHosts } from '#platform/outbound/allowed-hosts.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'

export type FeedProductOptions = {
  databaseUrl: string
  /** Loopback servers, `host:port`. */
  hosts: readonly string[]
  taxiiAuth?: Record<string, unknown>
  taxiiMaxPages?: number
  pulse?: { base: string; key?: string /** Asked at each collection. */; maxPages?: () => number }
  maxBytes?: number
  clock?: Clock
}

/** The product's own parts that collect feeds, wired with an outbound door that does not wait between attempts. */
export type FeedProduct = {
  db: Db
  feeds: FeedsService
  collect: CollectService
  probe: ProbeService
  taxii: TaxiiService
  /** Every log record as JSON. */
  logged: string[]
  close(): Promise<void>
}

export function openFeedProduct({
  databaseUrl,
  hosts,
  taxiiAuth,
  taxiiMaxPages = 40,
  pulse,
  maxBytes = 10_000_000,
  clock = () => new Date(),
}: FeedProductOptions): FeedProduct {
  const logged: string[] = []
  const keep = (event: string, fields: LogFields = {}) => void logged.push(JSON.stringify({ event, ...fields }))
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
  const pool = openPool(databaseUrl, { maxConnections: 4, applicationName: 'test' })
  const db = openDatabase(pool)
  const outbound = createOutbound({
    allowHosts: parseAllowedHosts(hosts.join(',')),
    userAgent: 'svc/test',
    log,
    sleep: async () => {},
  })
  const locks = createAdvisoryLocks({ databaseUrl, log })
  const audit = createAuditService({ db, log, clock })
  const pulseBase = new URL(pulse?.base ?? 'https://pulses.example.org')
  const parts = { db, log, clock, audit, outbound, feedKeys: {}, maxBytes, pulseBase }
  const client = createTaxiiClient({ outbound, auth: parseTaxiiAuth(JSON.stringify(taxiiAuth ?? {})), feedKeys: {}, maxBytes })
  const taxii = createTaxiiService({ outbound, client })
  const taxiiPages = createTaxiiPages({ client, taxii, clock, maxPages: taxiiMaxPages })
  const pulseClient = createPulseClient({ outbound, base: pulseBase, apiKey: pulse?.key, feedKeys: {}, maxBytes })
  const pulsePages = () => createPulsePages({ client: pulseClient, base: pulseBase, clock, maxPages: pulse?.maxPages?.() ?? 100 })
  const collect = createCollectService({
    ...parts,
    atOnce: 4,
    listing: createListingService({ leases: createLeases(pool, 4), log, clock }),
    sightings: createSightingsService({ leases: createLeases(pool, 4), log }),
    pages: { TAXII: taxiiPages.open, PULSE: (...request) => pulsePages().open(...request) },
    locks,
    events: { publish: async () => {} },
  })
  return {
    db,
    feeds: createFeedsService({ ...parts, sources: sourcesService, locks }),
    collect,
    probe: createProbeService({ ...parts, firstPage: { TAXII: taxiiPages.first, PULSE: async (url) => await pulsePages().first(url) } }),
    taxii,
    logged,
    async close() {
      await collect.stop()
      await locks.close()
      await outbound.close()
      await db.destroy()
    },
  }
}
