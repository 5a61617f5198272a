import { accountRoutes } from '#domains/accounts/accounts.routes.ts'
import { type SessionRouteOptions, sessionRoutes } from '#domains/accounts/sessions.routes.ts'
import { alertRoutes } from '#domains/alerts/alerts.routes.ts'
import { auditRoutes } from '#domains/audit/audit.routes.ts'
import { exclusionRoutes } from '#domains/exclusions/exclusions.routes.ts'
import { feedRoutes } from '#domains/feeds/feeds.routes.ts'
import { feedQualityRoutes } from '#domains/feeds/quality/quality.routes.ts'
import { incidentRoutes } from '#domains/incidents/incidents.routes.ts'
import { indicatorRoutes } from '#domains/indicators/indicators.routes.ts'
import { socRoutes } from '#domains/soc/soc.routes.ts'
import { cveRoutes } from '#domains/vulnerabilities/cves.routes.ts'
import { cveSyncRoutes } from '#domains/vulnerabilities/cves-sync.routes.ts'
import { productAliasRoutes } from '#domains/vulnerabilities/product-aliases.routes.ts'
import { warningListRoutes } from '#domains/warning-lists/warning-lists.routes.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Config } from '#platform/config/settings.ts'
import { installAccessCheck } from '#platform/http/access.ts'
import { createHttpServer, type HttpServer } from '#platform/http/http-server.ts'
import { createRecentRequests } from '#platform/http/recent-requests.ts'
import { createRequestLimits } from '#platform/http/request-limits.ts'
import { createEventStreams } from '#platform/http/streams/event-streams.ts'
import { streamRoute } from '#platform/http/streams/stream-route.ts'
import { parseTrustedProxies } from '#platform/http/trusted-proxies.ts'
import { installWebInterface } from '#platform/http/web-interface.ts'
import { ANY_ORIGIN, parseOrigins } from '#platform/http/web-origins.ts'
import type { Logging } from '#platform/logging/logger.ts'
import { createHttpMetrics } from '#platform/metrics/http-metrics.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'
import { installApiDocuments } from './api-documents.ts'
import { metricsRoute } from './metrics.ts'
import { probeRoutes } from './probes.ts'
import { settingRoutes } from './settings.ts'

const API_PREFIX = '/api/v1'

/** The API with every route, by hand: what is not listed here does not exist. */
export async function buildApp(services: Services, config: Config, logging: Logging): Promise<HttpServer> {
  const production = config.ENVIRONMENT === 'production'
  const corsOrigins = parseOrigins(config.CORS_ORIGINS)
  const recentRequests = createRecentRequests()
  const httpMetrics = createHttpMetrics()
  const app = await createHttpServer({
    log: logging.for('svc.http'),
    version: VERSION,
    trustedProxies: parseTrustedProxies(config.FORWARDED_ALLOW_IPS),
    corsOrigins: parseOrigins(config.CORS_ORIGINS),
    hsts: sendsHsts(config),
    recentRequests,
    metrics: httpMetrics,
  })
  installAccessCheck(app, {
    limits: createRequestLimits({
      perAccount: config.RATE_LIMIT_PER_USER,
      perAddress: config.RATE_LIMIT_PER_ADDRESS,
      exportsPerAccount: config.RATE_LIMIT_EXPORTS,
    }),
    authenticate: async (token) => await services.sessions.authenticate(token),
    onDenied: async (actor, route) =>
      await services.audit.recordRefusal(actor, { action: 'authz.denied', outcome: 'DENIED', target: { type: 'route', name: route } }),
  })
  await app.register(probeRoutes(services, config.ENVIRONMENT))
  await app.register(metricsRoute({ services, http: httpMetrics, config }))
  await app.register(sessionRoutes(services.sessions, sessionTransport(config, corsOrigins)), { prefix: API_PREFIX })
  await app.register(accountRoutes(services.accounts), { prefix: API_PREFIX })
  await app.register(indicatorRoutes(services.indicators), { prefix: API_PREFIX })
  await app.register(feedRoutes(services), { prefix: API_PREFIX })
  await app.register(feedQualityRoutes(services.quality), { prefix: API_PREFIX })
  await app.register(warningListRoutes(services.warningLists), { prefix: API_PREFIX })
  await app.register(exclusionRoutes(services.exclusions), { prefix: API_PREFIX })
  await app.register(socRoutes(services.soc), { prefix: API_PREFIX })
  await app.register(cveRoutes(services.cves), { prefix: API_PREFIX })
  await app.register(cveSyncRoutes(services.cvesSync), { prefix: API_PREFIX })
  await app.register(productAliasRoutes(services.productAliases), { prefix: API_PREFIX })
  await app.register(alertRoutes(services), { prefix: API_PREFIX })
  await app.register(incidentRoutes(services), { prefix: API_PREFIX })
  await app.register(auditRoutes({ journal: services.journal, recentRequests }), { prefix: API_PREFIX })
  await app.register(settingRoutes(config), { prefix: API_PREFIX })
  const streams = createEventStreams({
    bus: services.events,
    recheck: async (holders) => await services.sessionRoles.rolesOf(holders.map(({ sessionId }) => sessionId)),
    clock: systemClock,
    log: logging.for('svc.http'),
    perAccount: config.STREAMS_PER_USER,
  })
  await app.register(streamRoute({ streams, hsts: sendsHsts(config) }), { prefix: API_PREFIX })
  if (config.DOCS_ENABLED ?? !production) await installApiDocuments(app)
  await installWebInterface(app, config.WEB_DIR)
  return app
}

function sendsHsts({ HSTS_ENABLED, ENVIRONMENT }: Config): boolean {
  return HSTS_ENABLED ?? ENVIRONMENT === 'production'
}

/** `*` lets any page call without cookies, so it trusts none with one. */
function sessionTransport(config: Config, corsOrigins: ReadonlySet<string>): SessionRouteOptions {
  const own = config.PUBLIC_URL === undefined ? [] : [new URL(config.PUBLIC_URL).origin]
  const trustedOrigins = new Set([...own, ...corsOrigins].filter((origin) => origin !== ANY_ORIGIN))
  return { trustedOrigins, tlsOnly: sendsHsts(config) || own.some((origin) => origin.startsWith('https:')) }
}
