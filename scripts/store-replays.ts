import * as accounts from '#domains/accounts/accounts.store.ts'
import * as sessionRoles from '#domains/accounts/session-roles.store.ts'
import * as sessions from '#domains/accounts/sessions.store.ts'
import * as alerts from '#domains/alerts/alerts.store.ts'
import * as deliveries from '#domains/alerts/deliveries.store.ts'
import * as audit from '#domains/audit/audit.store.ts'
import * as chain from '#domains/audit/chain.store.ts'
import * as exclusions from '#domains/exclusions/exclusions.store.ts'
import * as cursors from '#domains/feeds/collecting/collector-state.store.ts'
import * as runs from '#domains/feeds/collection-runs.store.ts'
import * as feeds from '#domains/feeds/feeds.store.ts'
import * as measureQuality from '#domains/feeds/quality/measure-quality.store.ts'
import * as quality from '#domains/feeds/quality/quality.store.ts'
import * as incidentLinks from '#domains/incidents/incident-links.store.ts'
import * as incidentTimeline from '#domains/incidents/incident-timeline.store.ts'
import * as incidents from '#domains/incidents/incidents.store.ts'
import * as indicators from '#domains/indicators/indicators.store.ts'
import * as listing from '#domains/indicators/listing.store.ts'
import * as lookup from '#domains/indicators/lookup.store.ts'
import * as orphans from '#domains/indicators/orphans.store.ts'
import * as sightings from '#domains/indicators/sightings.store.ts'
import * as sources from '#domains/indicators/sources.store.ts'
import * as staging from '#domains/indicators/staging.store.ts'
import * as statement from '#domains/indicators/statement.store.ts'
import * as submission from '#domains/indicators/submission.store.ts'
import * as soc from '#domains/soc/soc.store.ts'
import * as affected from '#domains/vulnerabilities/affected.store.ts'
import * as crossings from '#domains/vulnerabilities/crossings.store.ts'
import * as cveConditions from '#domains/vulnerabilities/cve-conditions.store.ts'
import * as cveList from '#domains/vulnerabilities/cve-list.store.ts'
import * as cveSearch from '#domains/vulnerabilities/cve-search.store.ts'
import * as cves from '#domains/vulnerabilities/cves.store.ts'
import * as cvesImport from '#domains/vulnerabilities/cves-import.store.ts'
import { kevStub, STUB_STATUS } from '#domains/vulnerabilities/kev-stub.ts'
import { parseSort } from '#domains/vulnerabilities/list-order.ts'
import * as productAliases from '#domains/vulnerabilities/product-aliases.store.ts'
import * as scores from '#domains/vulnerabilities/scores.store.ts'
import * as syncs from '#domains/vulnerabilities/syncs.store.ts'
import * as matches from '#domains/warning-lists/matches.store.ts'
import * as warningLists from '#domains/warning-lists/warning-lists.store.ts'
import type { Db } from '#platform/database/database.ts'

/** One store file: each exported function, called with example values. A second call of a function has a word after its name. */
export type StoreReplay = { domain: string; file: string; module: object; calls: Record<string, (db: Db) => Promise<unknown>> }

const ID = '00000000-0000-7000-8000-000000000000'
const AT = new Date(0)
const CVE = 'CVE-2031-0001'
const DIGEST = Buffer.alloc(32)
const SOURCE = { name: 'name', feed_type: 'other', reliability: 'C' } as const
const CHUNK = { sourceId: ID, after: 0, upTo: 1000, at: AT, runNo: 1, severity: 'MEDIUM', saysSomething: true } as const
const WINDOWS = { runDays: 30, eventDays: 90 }
const EVERY_FILTER = {
  types: ['IPV4'],
  severities: ['HIGH'],
  minConfidence: 40,
  sourceId: ID,
  active: true,
  excluded: false,
  exact: { type: 'IPV4', value: '198.51.100.7' },
} satisfies Parameters<typeof indicators.pageIndicators>[1]
const EVERY_CVE_CONDITION = {
  priorities: ['P0'],
  kev: true,
  ransomware: true,
  exploit: true,
  minEpss: 0.1,
  minCvss: 7,
  statuses: ['Analyzed'],
  publishedSince: AT,
  modifiedSince: AT,
  dueFrom: '2031-01-01',
  dueTo: '2031-01-31',
  alert: 'OPEN',
  products: { vendors: ['acme'] },
} satisfies Parameters<typeof cveList.pageCves>[1]
const EVERY_ALERT_FILTER = {
  state: 'OPEN',
  priorities: ['P0'],
  notification: 'FAILED',
  cve_id: 'CVE-2026-10001',
  kev: true,
  raised_by: AT,
} satisfies Parameters<typeof alerts.pageAlerts>[1]
const EVERY_INCIDENT_FILTER = {
  statuses: ['OPEN'],
  severities: ['HIGH'],
  levels: ['L2'],
  assigneeId: ID,
  open: true,
  overdue: [{ severity: 'HIGH', takeInBefore: AT, resolutionBefore: AT }],
  indicatorId: ID,
  cveId: CVE,
} satisfies Parameters<typeof incidents.pageIncidents>[1]
const PATTERN = { kind: 'DOMAIN', type: null, value: 'example.com' } as const
const EXCLUSION = {
  id: ID,
  ...PATTERN,
  reason: 'reason',
  created_by: 'name',
  created_at: AT,
  ends_at: null,
  list_id: null,
  list_name: null,
}
const PAGE = { after: ID, limit: 51, asOf: AT }

/** Every store of the product. `npm run gen` refuses a store function that is not called here. */
export const STORE_REPLAYS: readonly StoreReplay[] = [
  {
    domain: 'accounts',
    file: 'accounts.store.ts',
    module: accounts,
    calls: {
      insertUser: async (db) =>
        await accounts.insertUser(db, { id: ID, username: 'name', email: null, password_hash: 'hash', role: 'VIEWER', at: AT }),
      findUser: async (db) => await accounts.findUser(db, ID),
      findUserByName: async (db) => await accounts.findUserByName(db, 'name'),
      pageUsers: async (db) => await accounts.pageUsers(db, { limit: 51, at: AT }),
      'pageUsers after one': async (db) => await accounts.pageUsers(db, { after: ID, limit: 51, at: AT }),
      findCredentials: async (db) => await accounts.findCredentials(db, 'name'),
      listActive: async (db) => await accounts.listActive(db, { roles: ['ANALYST'], limit: 500 }),
      'listActive of one': async (db) => await accounts.listActive(db, { roles: ['ANALYST'], id: ID, limit: 1 }),
      lockActiveAdmins: async (db) => await accounts.lockActiveAdmins(db),
      updateUser: async (db) => await accounts.updateUser(db, ID, { role: 'VIEWER', status: 'ACTIVE', email: null, at: AT }),
      updatePassword: async (db) => await accounts.updatePassword(db, ID, { password_hash: 'new', replaces: 'old', at: AT }),
      countUsers: async (db) => await accounts.countUsers(db),
    },
  },
  {
    domain: 'accounts',
    file: 'sessions.store.ts',
    module: sessions,
    calls: {
      openSession: async (db) =>
        await sessions.openSession(
          db,
          { id: ID, password_hash: 'hash' },
          { id: ID, at: AT, expiresAt: AT, digest: DIGEST, clientIp: null, userAgent: null },
        ),
      insertRefreshToken: async (db) => await sessions.insertRefreshToken(db, { digest: DIGEST, sessionId: ID, at: AT, expiresAt: AT }),
      findSessionOfToken: async (db) => await sessions.findSessionOfToken(db, DIGEST),
      lockSession: async (db) => await sessions.lockSession(db, ID),
      findRefreshToken: async (db) => await sessions.findRefreshToken(db, DIGEST),
      markTokenUsed: async (db) => await sessions.markTokenUsed(db, DIGEST, AT),
      renewSession: async (db) => await sessions.renewSession(db, ID, { at: AT, expiresAt: AT }),
      revokeSessions: async (db) => await sessions.revokeSessions(db, { userId: ID }, { reason: 'revoked', at: AT }),
      'revokeSessions of one': async (db) => await sessions.revokeSessions(db, { userId: ID, only: ID }, { reason: 'logout', at: AT }),
      'revokeSessions but one': async (db) =>
        await sessions.revokeSessions(db, { userId: ID, except: ID }, { reason: 'password_changed', at: AT }),
      findCaller: async (db) => await sessions.findCaller(db, { userId: ID, sessionId: ID }),
      listOpenSessions: async (db) => await sessions.listOpenSessions(db, ID, { at: AT, limit: 100 }),
      deleteEndedSessions: async (db) => await sessions.deleteEndedSessions(db, AT, 1000),
    },
  },
  {
    domain: 'accounts',
    file: 'session-roles.store.ts',
    module: sessionRoles,
    calls: { findRolesOfSessions: async (db) => await sessionRoles.findRolesOfSessions(db, [ID], AT) },
  },
  {
    domain: 'audit',
    file: 'audit.store.ts',
    module: audit,
    calls: {
      insertAuditEvent: async (db) =>
        await audit.insertAuditEvent(db, { id: ID, at: AT, action: 'auth.login', outcome: 'SUCCESS', actor_name: 'name', details: '{}' }),
      pageAuditEvents: async (db) => await audit.pageAuditEvents(db, {}, { after: ID, limit: 51 }),
      'pageAuditEvents of some actions': async (db) =>
        await audit.pageAuditEvents(db, { actions: ['auth.login', 'auth.logout'], outcome: 'DENIED', since: AT }, { after: ID, limit: 51 }),
      'pageAuditEvents with every filter': async (db) =>
        await audit.pageAuditEvents(
          db,
          { actions: ['auth.login'], outcome: 'DENIED', since: AT, actorName: 'name', requestId: 'request-1' },
          { after: ID, limit: 51 },
        ),
      countAuditEvents: async (db) => await audit.countAuditEvents(db, { actions: ['auth.login', 'auth.logout'], outcome: 'DENIED' }),
      listEventsOfRequest: async (db) => await audit.listEventsOfRequest(db, 'request-1', 200),
      listActions: async (db) => await audit.listActions(db, 'auth.'),
    },
  },
  {
    domain: 'audit',
    file: 'chain.store.ts',
    module: chain,
    calls: {
      pageChain: async (db) => await chain.pageChain(db, { lane: 0, seq: 1 }, 2000),
      wouldFitOneEarlier: async (db) => await chain.wouldFitOneEarlier(db, { lane: 0, seq: 1 }),
      findHash: async (db) => await chain.findHash(db, { lane: 0, seq: 1 }),
    },
  },
  {
    domain: 'feeds',
    file: 'collection-runs.store.ts',
    module: runs,
    calls: {
      listRuns: async (db) => await runs.listRuns(db, ID, 20),
      startRun: async (db) => await runs.startRun(db, { id: ID, feedId: ID, at: AT }),
      finishRun: async (db) =>
        await runs.finishRun(db, ID, {
          duration_ms: 1,
          outcome: 'SUCCEEDED',
          fetched_bytes: 1,
          decoded_bytes: 1,
          decoding: ['utf-8'],
          row_count: 1,
          new_count: 1,
          updated_count: 0,
          gone_count: 0,
          rejected_count: 0,
          unsupported_count: 0,
          unsupported_by_kind: {},
          rejected_by_code: {},
          rejections: [],
          error: null,
          warning: null,
        }),
      listHistories: async (db) => await runs.listHistories(db),
      listRunTotals: async (db) => await runs.listRunTotals(db, AT),
      'listHistories of one feed': async (db) => await runs.listHistories(db, ID),
      listNewestRuns: async (db) => await runs.listNewestRuns(db),
      listRunCells: async (db) => await runs.listRunCells(db, { since: AT, cellHours: 6 }),
      purgeRuns: async (db) => await runs.purgeRuns(db, AT),
    },
  },
  {
    domain: 'feeds',
    file: 'collecting/collector-state.store.ts',
    module: cursors,
    calls: {
      findCursor: async (db) => await cursors.findCursor(db, 'taxii:id', 'https://lists.example.org/'),
      saveCursor: async (db) =>
        await cursors.saveCursor(db, { entry: 'taxii:id', feedId: ID, url: 'https://lists.example.org/', cursor: {}, at: AT }),
      dropCursors: async (db) => await cursors.dropCursors(db, ID),
    },
  },
  {
    domain: 'feeds',
    file: 'feeds.store.ts',
    module: feeds,
    calls: {
      pageFeeds: async (db) =>
        await feeds.pageFeeds(db, { is_active: true, status: 'HEALTHY', feed_type: 'c2' }, { limit: 200, offset: 0 }),
      findFeed: async (db) => await feeds.findFeed(db, ID),
      findFeedByName: async (db) => await feeds.findFeedByName(db, 'name'),
      findCollectionState: async (db) => await feeds.findCollectionState(db, ID),
      insertFeed: async (db) =>
        await feeds.insertFeed(db, {
          id: ID,
          url: 'https://lists.example.org/',
          format: 'CSV',
          is_active: true,
          frequency: 3600,
          parser: {},
          tlp: 'CLEAR',
          licence: null,
          homepage: null,
          at: AT,
        }),
      updateFeed: async (db) =>
        await feeds.updateFeed(db, ID, { version: 1, fields: { frequency: 3600, parser: {} }, restart: true, at: AT }),
      deleteFeed: async (db) => await feeds.deleteFeed(db, ID),
      beginRemoval: async (db) => await feeds.beginRemoval(db, ID, ID, AT),
      claimFeed: async (db) => await feeds.claimFeed(db, ID, ID),
      holdsClaim: async (db) => await feeds.holdsClaim(db, ID, ID),
      settleFeed: async (db) => await feeds.settleFeed(db, ID, ID, { status: 'HEALTHY', last_successful_run: AT, last_error: null }),
    },
  },
  {
    domain: 'feeds',
    file: 'quality/measure-quality.store.ts',
    module: measureQuality,
    calls: {
      prepareSession: async (db) => await measureQuality.prepareSession(db),
      numberSources: async (db) => await measureQuality.numberSources(db, AT, { windows: WINDOWS, cursorFormats: ['TAXII'] }),
      stageExcluded: async (db) => await measureQuality.stageExcluded(db, AT),
      countHeld: async (db) => await measureQuality.countHeld(db, AT, WINDOWS),
      gatherShared: async (db) => await measureQuality.gatherShared(db, AT, WINDOWS),
      holdReferred: async (db) => await measureQuality.holdReferred(db),
      writeQuality: async (db) => await measureQuality.writeQuality(db),
      writeOverlaps: async (db) => await measureQuality.writeOverlaps(db),
      writeWarnings: async (db) => await measureQuality.writeWarnings(db, AT, WINDOWS),
      finishReport: async (db) => await measureQuality.finishReport(db, { computedAt: AT, durationMs: 1, listed: 1, inputs: 'inputs' }),
    },
  },
  {
    domain: 'feeds',
    file: 'quality/quality.store.ts',
    module: quality,
    calls: {
      getQualityState: async (db) => await quality.getQualityState(db),
      getQualityInputs: async (db) => await quality.getQualityInputs(db),
      markComputing: async (db) => await quality.markComputing(db, AT),
      listQuality: async (db) => await quality.listQuality(db),
      findQuality: async (db) => await quality.findQuality(db, ID),
      listOverlapsAmong: async (db) => await quality.listOverlapsAmong(db, [ID]),
      listOverlapsOf: async (db) => await quality.listOverlapsOf(db, ID, 20),
      listFeedWarnings: async (db) => await quality.listFeedWarnings(db, ID, AT),
    },
  },
  {
    domain: 'indicators',
    file: 'indicators.store.ts',
    module: indicators,
    calls: {
      listNamed: async (db) => await indicators.listNamed(db, [ID]),
      pageIndicators: async (db) => await indicators.pageIndicators(db, {}, PAGE),
      'pageIndicators with every filter': async (db) => await indicators.pageIndicators(db, EVERY_FILTER, PAGE),
      countIndicators: async (db) => await indicators.countIndicators(db, { excluded: false }, AT),
      'countIndicators with every filter': async (db) => await indicators.countIndicators(db, EVERY_FILTER, AT),
      findIndicator: async (db) => await indicators.findIndicator(db, ID, AT),
      getStanding: async (db) => await indicators.getStanding(db, { id: ID, type: 'IPV4' }, AT),
      listSightings: async (db) => await indicators.listSightings(db, { id: ID, type: 'IPV4' }),
      markExpired: async (db) => await indicators.markExpired(db, { after: ID, limit: 5000, asOf: AT }),
    },
  },
  {
    domain: 'indicators',
    file: 'listing.store.ts',
    module: listing,
    calls: {
      foldStaged: async (db) => await listing.foldStaged(db),
      compareListing: async (db) => await listing.compareListing(db, { sourceId: ID, at: AT, withGone: true }),
      findByIndex: async (db) => await listing.findByIndex(db),
      emptyStaging: async (db) => await listing.emptyStaging(db),
      indexChanges: async (db) => await listing.indexChanges(db),
      insertFreshChunk: async (db) => await listing.insertFreshChunk(db, CHUNK, { known: 1, contested: true }),
      updateChangedChunk: async (db) => await listing.updateChangedChunk(db, CHUNK),
      closeGoneChunk: async (db) => await listing.closeGoneChunk(db, CHUNK),
      countStaged: async (db) => await listing.countStaged(db),
      recordNetworkLengths: async (db) => await listing.recordNetworkLengths(db),
    },
  },
  {
    domain: 'indicators',
    file: 'lookup.store.ts',
    module: lookup,
    calls: {
      findClosest: async (db) =>
        await lookup.findClosest(
          db,
          [{ n: 0, relation: 'exact', distance: 0, type: 'IPV4', value: '198.51.100.7' }],
          [{ n: 0, distance: 1000, address: '198.51.100.7' }],
          AT,
        ),
    },
  },
  {
    domain: 'indicators',
    file: 'sightings.store.ts',
    module: sightings,
    calls: {
      isRepeatedAcrossPages: async (db) => await sightings.isRepeatedAcrossPages(db, 3),
      orderDelivered: async (db) => await sightings.orderDelivered(db, AT, { first: 0, last: 2 }),
      dropDelivered: async (db) => await sightings.dropDelivered(db),
      writeDelivered: async (db) =>
        await sightings.writeDelivered(
          db,
          { sourceId: ID, at: AT, severity: 'MEDIUM' },
          { count: 2, known: 1, ranges: 1, ended: 1, contested: true },
        ),
    },
  },
  {
    domain: 'indicators',
    file: 'orphans.store.ts',
    module: orphans,
    calls: {
      countOrphans: async (db) => await orphans.countOrphans(db, ID),
      listOrphans: async (db) => await orphans.listOrphans(db, ID, 10),
      keepPurgesOut: async (db) => await orphans.keepPurgesOut(db),
      purgeStretch: async (db) => await orphans.purgeStretch(db, ID, ID),
      allowLongWork: async (db) => await orphans.allowLongWork(db),
    },
  },
  {
    domain: 'indicators',
    file: 'sources.store.ts',
    module: sources,
    calls: {
      insertSource: async (db) => await sources.insertSource(db, { id: ID, ...SOURCE }),
      updateSource: async (db) => await sources.updateSource(db, ID, SOURCE),
      getListingState: async (db) => await sources.getListingState(db, ID),
      addToListed: async (db) => await sources.addToListed(db, ID, 1),
      countCompleteRun: async (db) => await sources.countCompleteRun(db, ID, AT),
      getShortestLifetimeDays: async (db) => await sources.getShortestLifetimeDays(db),
      unmarkListed: async (db) => await sources.unmarkListed(db, ID),
      unmarkIndicators: async (db) => await sources.unmarkIndicators(db, [ID]),
      endListing: async (db) => await sources.endListing(db, ID),
      retireSource: async (db) => await sources.retireSource(db, ID, AT),
    },
  },
  { domain: 'indicators', file: 'staging.store.ts', module: staging, calls: {} },
  { domain: 'indicators', file: 'statement.store.ts', module: statement, calls: {} },
  {
    domain: 'indicators',
    file: 'submission.store.ts',
    module: submission,
    calls: {
      saveSubmission: async (db) =>
        await submission.saveSubmission(
          db,
          [{ id: ID, type: 'IPV4', value: '198.51.100.7', severity: 'MEDIUM', tags: [], description: null }],
          AT,
        ),
    },
  },
  {
    domain: 'alerts',
    file: 'alerts.store.ts',
    module: alerts,
    calls: {
      insertAlerts: async (db) =>
        await alerts.insertAlerts(db, [{ id: ID, cveId: 'CVE-2026-10001', generation: 1, priority: 'P0', score: 90, title: 'title' }], {
          at: AT,
          notification: 'PENDING',
        }),
      pageAlerts: async (db) => await alerts.pageAlerts(db, EVERY_ALERT_FILTER, { sort: 'NEWEST', after: ID, limit: 51 }),
      'pageAlerts by urgency': async (db) => await alerts.pageAlerts(db, { state: 'OPEN' }, { sort: 'URGENCY', after: ID, limit: 51 }),
      countAlerts: async (db) => await alerts.countAlerts(db, EVERY_ALERT_FILTER),
      findAlert: async (db) => await alerts.findAlert(db, ID),
      findAlertOfCve: async (db) => await alerts.findAlertOfCve(db, CVE),
      acknowledgeAlerts: async (db) => await alerts.acknowledgeAlerts(db, [ID], { at: AT, byId: ID, by: 'name' }),
      listOpenAlertIds: async (db) => await alerts.listOpenAlertIds(db, ['CVE-2026-10001']),
      countOpenAlerts: async (db) => await alerts.countOpenAlerts(db),
      listNamedAlerts: async (db) => await alerts.listNamedAlerts(db, [ID]),
    },
  },
  {
    domain: 'incidents',
    file: 'incidents.store.ts',
    module: incidents,
    calls: {
      insertIncident: async (db) =>
        await incidents.insertIncident(db, {
          ...{ id: ID, title: 'title', description: '', severity: 'HIGH', assignee_id: ID, opened_by_id: ID, opened_by: 'name', at: AT },
        }),
      findIncident: async (db) => await incidents.findIncident(db, ID),
      findEventCount: async (db) => await incidents.findEventCount(db, ID),
      lockIncidents: async (db) => await incidents.lockIncidents(db, [ID]),
      updateIncident: async (db) =>
        await incidents.updateIncident(db, ID, { status: 'ANALYSIS', acknowledged_at: AT, version: 2, event_count: 2, at: AT }),
      pageIncidents: async (db) => await incidents.pageIncidents(db, EVERY_INCIDENT_FILTER, { after: ID, limit: 51 }),
      'pageIncidents without a filter': async (db) => await incidents.pageIncidents(db, {}, { after: undefined, limit: 51 }),
      countIncidents: async (db) => await incidents.countIncidents(db, { assigneeId: null, open: false }),
      countOpenIncidents: async (db) => await incidents.countOpenIncidents(db),
    },
  },
  {
    domain: 'incidents',
    file: 'incident-timeline.store.ts',
    module: incidentTimeline,
    calls: {
      insertEntries: async (db) =>
        await incidentTimeline.insertEntries(db, [{ kind: 'COMMENT', note: 'text' }], {
          ...{ incidentId: ID, lastSeq: 1, version: 1, at: AT, actorId: ID, actorName: 'name' },
        }),
      pageEntries: async (db) => await incidentTimeline.pageEntries(db, ID, { after: 0, limit: 201 }),
      listEntriesSince: async (db) => await incidentTimeline.listEntriesSince(db, ID, 1, 50),
    },
  },
  {
    domain: 'incidents',
    file: 'incident-links.store.ts',
    module: incidentLinks,
    calls: {
      linkIndicators: async (db) => await incidentLinks.linkIndicators(db, ID, [ID], AT),
      linkCves: async (db) => await incidentLinks.linkCves(db, ID, [CVE], AT),
      linkAlerts: async (db) => await incidentLinks.linkAlerts(db, ID, [ID]),
      unlinkIndicator: async (db) => await incidentLinks.unlinkIndicator(db, ID, ID),
      unlinkCve: async (db) => await incidentLinks.unlinkCve(db, ID, CVE),
      countLinks: async (db) => await incidentLinks.countLinks(db, ID),
      listLinkedIndicators: async (db) => await incidentLinks.listLinkedIndicators(db, ID, 1000),
      listLinkedCves: async (db) => await incidentLinks.listLinkedCves(db, ID, 1000),
      listLinkedAlerts: async (db) => await incidentLinks.listLinkedAlerts(db, ID, 1000),
      listRelated: async (db) =>
        await incidentLinks.listRelated(db, { cveIds: [CVE], indicatorIds: [ID], except: ID }, { limit: 20, asOf: AT }),
      findLinkIds: async (db) => await incidentLinks.findLinkIds(db, ID, 1000),
      listIncidentsOfCve: async (db) => await incidentLinks.listIncidentsOfCve(db, CVE, 20),
    },
  },
  {
    domain: 'alerts',
    file: 'deliveries.store.ts',
    module: deliveries,
    calls: {
      takeDueAttempts: async (db) => await deliveries.takeDueAttempts(db, { at: AT, leaseUntil: AT, maxAttempts: 5, limit: 5 }),
      giveUpCutShort: async (db) => await deliveries.giveUpCutShort(db, { at: AT, maxAttempts: 5 }),
      insertDelivery: async (db) => await deliveries.insertDelivery(db, { id: ID, alert_id: ID, attempt: 1, started_at: AT }),
      endDelivery: async (db) =>
        await deliveries.endDelivery(db, ID, {
          ended_at: AT,
          outcome: 'FAILED',
          status: 500,
          reason: 'The receiver answered with status 500.',
        }),
      settleAttempt: async (db) =>
        await deliveries.settleAttempt(db, { alertId: ID, attempt: 1 }, { notification: 'PENDING', nextAttemptAt: AT }),
      restartDelivery: async (db) => await deliveries.restartDelivery(db, ID, AT),
      listDeliveries: async (db) => await deliveries.listDeliveries(db, ID, 50),
    },
  },
  {
    domain: 'soc',
    file: 'soc.store.ts',
    module: soc,
    calls: {
      readSocFigures: async (db) =>
        await soc.readSocFigures(db, {
          since: AT,
          asOf: AT,
          targets: [{ severity: 'HIGH', take_in_ms: 14_400_000, resolution_ms: 259_200_000 }],
        }),
    },
  },
  {
    domain: 'exclusions',
    file: 'exclusions.store.ts',
    module: exclusions,
    calls: {
      hasExclusions: async (db) => await exclusions.hasExclusions(db),
      keepWritersOut: async (db) => await exclusions.keepWritersOut(db),
      insertExclusions: async (db) => await exclusions.insertExclusions(db, [EXCLUSION]),
      removeEnded: async (db) => await exclusions.removeEnded(db, [PATTERN], AT),
      findSame: async (db) => await exclusions.findSame(db, PATTERN),
      findExclusion: async (db) => await exclusions.findExclusion(db, ID),
      pageExclusions: async (db) => await exclusions.pageExclusions(db, { state: 'ACTIVE', kind: 'DOMAIN', listId: ID }, PAGE),
      countExclusions: async (db) => await exclusions.countExclusions(db, { state: 'ENDED' }, AT),
      findCovering: async (db) => await exclusions.findCovering(db, [{ type: 'IPV4', value: '198.51.100.7' }], AT),
      countCovered: async (db) => await exclusions.countCovered(db, PATTERN, AT),
      'countCovered by a range': async (db) =>
        await exclusions.countCovered(db, { kind: 'NETWORK', type: null, value: '198.51.100.0/24' }, AT),
      'countCovered by a host': async (db) => await exclusions.countCovered(db, { kind: 'HOST', type: null, value: 'example.com' }, AT),
      listCovered: async (db) => await exclusions.listCovered(db, { kind: 'VALUE', type: 'DOMAIN', value: 'example.com' }, AT),
      countBase: async (db) => await exclusions.countBase(db, AT),
      markCovered: async (db) => await exclusions.markCovered(db, PATTERN, AT),
      markCoveredByList: async (db) => await exclusions.markCoveredByList(db, ID),
      deleteExclusions: async (db) => await exclusions.deleteExclusions(db, { id: ID }),
      'deleteExclusions of a list': async (db) => await exclusions.deleteExclusions(db, { listId: ID }),
      refreshMarks: async (db) => await exclusions.refreshMarks(db),
      foreseeComeback: async (db) => await exclusions.foreseeComeback(db, { id: ID }, AT),
      'foreseeComeback of a list': async (db) => await exclusions.foreseeComeback(db, { listId: ID }, AT),
    },
  },
  {
    domain: 'warning-lists',
    file: 'matches.store.ts',
    module: matches,
    calls: {
      listMatchable: async (db) => await matches.listMatchable(db),
      listTextEntries: async (db) => await matches.listTextEntries(db, ID),
      findMatches: async (db) => await matches.findMatches(db, [{ type: 'IPV4', value: '198.51.100.7' }]),
      createHits: async (db) => await matches.createHits(db),
      pageValues: async (db) => await matches.pageValues(db, ['EMAIL'], { after: ID, limit: 20_000 }),
      addHits: async (db) => await matches.addHits(db, [{ indicator_id: ID, list_id: ID }]),
      settleHits: async (db) => await matches.settleHits(db),
    },
  },
  {
    domain: 'warning-lists',
    file: 'warning-lists.store.ts',
    module: warningLists,
    calls: {
      listWarningLists: async (db) => await warningLists.listWarningLists(db),
      findWarningList: async (db) => await warningLists.findWarningList(db, ID),
      lockByName: async (db) => await warningLists.lockByName(db, 'name'),
      listEntries: async (db) => await warningLists.listEntries(db, ID, 1000),
      countWarningLists: async (db) => await warningLists.countWarningLists(db),
      writeWarningList: async (db) =>
        await warningLists.writeWarningList(db, ID, {
          name: 'name',
          description: null,
          type: 'STRING',
          list_version: 1,
          applies_to: ['IPV4'],
          entry_count: 1,
          skipped: [],
          digest: 'digest',
          at: AT,
        }),
      replaceEntries: async (db) => await warningLists.replaceEntries(db, ID, [{ kind: 'NETWORK', entry: '198.51.100.0/24' }]),
      removeEntries: async (db) => await warningLists.removeEntries(db, ID),
      deleteWarningList: async (db) => await warningLists.deleteWarningList(db, ID),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'crossings.store.ts',
    module: crossings,
    calls: {
      noteSilently: async (db) => await crossings.noteSilently(db, 'touched', 70),
      rearm: async (db) => await crossings.rearm(db, 70),
      takeCrossings: async (db) => await crossings.takeCrossings(db, 70),
      findThreshold: async (db) => await crossings.findThreshold(db),
      keepThreshold: async (db) => await crossings.keepThreshold(db, 70),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'syncs.store.ts',
    module: syncs,
    calls: {
      beginSync: async (db) => await syncs.beginSync(db, 'NVD', AT),
      endSync: async (db) => await syncs.endSync(db, 'KEV', { at: AT, error: undefined, etag: '"tag"', lastModified: 'then' }),
      'endSync badly': async (db) => await syncs.endSync(db, 'KEV', { at: AT, error: 'It did not answer.' }),
      saveWalk: async (db) => await syncs.saveWalk(db, { from: AT, to: AT, index: 2000, total: 5000, readAt: AT }, 2000),
      saveCheckpoint: async (db) => await syncs.saveCheckpoint(db, AT, 2000),
      forgetWalk: async (db) => await syncs.forgetWalk(db),
      listSyncs: async (db) => await syncs.listSyncs(db),
      takeRequestSlot: async (db) => await syncs.takeRequestSlot(db, 'host', { gapMs: 6000, at: undefined }),
      freeRequestSlot: async (db) => await syncs.freeRequestSlot(db, 'host', { gapMs: 6000, at: undefined }),
      listKevWithoutCve: async (db) => await syncs.listKevWithoutCve(db),
      countCvesUpTo: async (db) => await syncs.countCvesUpTo(db, 2001),
      listForEpss: async (db) => await syncs.listForEpss(db, { all: false, limit: 500 }),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'affected.store.ts',
    module: affected,
    calls: {
      listNamings: async (db) => await affected.listNamings(db, CVE, 1000),
      replaceNamings: async (db) => await affected.replaceNamings(db, [CVE], [{ cve_id: CVE, vendor: 'acme', product: 'mail' }]),
      listProducts: async (db) => await affected.listProducts(db, 0, 5000),
      saveProductKeys: async (db) => await affected.saveProductKeys(db, [{ id: 1, keys: ['mail'] }]),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'product-aliases.store.ts',
    module: productAliases,
    calls: {
      listProductAliases: async (db) => await productAliases.listProductAliases(db, 1000),
      insertProductAlias: async (db) =>
        await productAliases.insertProductAlias(db, {
          id: ID,
          vendor: 'acme',
          product: 'mail_server',
          name: 'post office',
          created_at: AT,
          created_by: 'name',
        }),
      deleteProductAlias: async (db) => await productAliases.deleteProductAlias(db, ID),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'cve-list.store.ts',
    module: cveList,
    calls: {
      pageCves: async (db) => await cveList.pageCves(db, EVERY_CVE_CONDITION, { order: parseSort(), after: [80, CVE], limit: 51 }),
      'pageCves by several columns': async (db) =>
        await cveList.pageCves(db, {}, { order: parseSort('-kev,due,-epss'), after: [1, null, 0.5, CVE], limit: 51 }),
      'pageCves by identifier': async (db) =>
        await cveList.pageCves(db, { idBeginning: 'CVE-2031-' }, { order: parseSort(), after: undefined, limit: 51 }),
      countCves: async (db) => await cveList.countCves(db, { kev: false }),
      listVendors: async (db) => await cveList.listVendors(db, ['acme'], 2000),
      listProductsByKeys: async (db) => await cveList.listProductsByKeys(db, ['acmemail', 'mail']),
    },
  },
  { domain: 'vulnerabilities', file: 'cve-conditions.store.ts', module: cveConditions, calls: {} },
  {
    domain: 'vulnerabilities',
    file: 'cve-search.store.ts',
    module: cveSearch,
    calls: {
      searchCves: async (db) =>
        await cveSearch.searchCves(db, { text: 'remote code' }, { order: parseSort(), after: [80, CVE], limit: 51 }, 10_000),
      'searchCves under conditions': async (db) =>
        await cveSearch.searchCves(
          db,
          { ...EVERY_CVE_CONDITION, text: '100%' },
          { order: parseSort('-kev,due'), after: undefined, limit: 51 },
          0,
        ),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'cves.store.ts',
    module: cves,
    calls: {
      findCve: async (db) => await cves.findCve(db, CVE),
      listKnownCves: async (db) => await cves.listKnownCves(db, [CVE]),
      listCveFacts: async (db) => await cves.listCveFacts(db, [CVE]),
      listPriorityHistory: async (db) => await cves.listPriorityHistory(db, CVE),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'cves-import.store.ts',
    module: cvesImport,
    calls: {
      lockCves: async (db) => await cvesImport.lockCves(db),
      addProducts: async (db) => await cvesImport.addProducts(db, [{ vendor: 'acme', product: 'mail', keys: ['acmemail', 'mail'] }]),
      findKnown: async (db) => await cvesImport.findKnown(db, [CVE]),
      findScoreFacts: async (db) => await cvesImport.findScoreFacts(db, [CVE]),
      noteChanged: async (db) => await cvesImport.noteChanged(db, [CVE]),
      removeCves: async (db) => await cvesImport.removeCves(db, [CVE]),
      updateStaged: async (db) => await cvesImport.updateStaged(db, AT),
      replaceNamed: async (db) => await cvesImport.replaceNamed(db, [{ productId: 1, cveId: CVE }]),
    },
  },
  {
    domain: 'vulnerabilities',
    file: 'scores.store.ts',
    module: scores,
    calls: {
      applyKev: async (db) => await scores.applyKev(db, []),
      listUndescribed: async (db) => await scores.listUndescribed(db),
      insertKevStubs: async (db) =>
        await scores.insertKevStubs(db, [kevStub({ cve_id: CVE, name: 'Acme Mail', date_added: '2031-01-02' })], STUB_STATUS),
      applyEpss: async (db) => await scores.applyEpss(db, { reason: 'epss', isWholeDay: true }),
      compareStagedEpss: async (db) => await scores.compareStagedEpss(db),
      touchAll: async (db) => await scores.touchAll(db, 'rescore'),
      rescoreTouched: async (db) => await scores.rescoreTouched(db, AT),
      findSource: async (db) => await scores.findSource(db, 'EPSS'),
      saveSource: async (db) => await scores.saveSource(db, { source: 'EPSS', version: 'v1', data_day: '2031-01-01', updated_at: AT }),
    },
  },
]

/** Store functions that give no statement of their own to a Kysely database: COPY on a leased connection, parts of statements. */
export const NOT_REPLAYED: ReadonlySet<string> = new Set([
  'openStaging',
  'openDelivery',
  'commitWithoutWaiting',
  'openImportSession',
  'copyNew',
  'copyNamed',
  'copyStaged',
  'openScoreSession',
  'openEpssStaging',
  'refreshKnown',
  'orderedIds',
  'comparedBy',
  'joinsFor',
  'ordering',
  'isBehind',
  'conditions',
  'partsOf',
  'severitySaid',
  'splitTags',
  'momentOf',
  'standingColumns',
  'fitsChain',
])
