import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { ALERT_PRIORITIES } from '#domains/alerts/alerts.model.ts'
import { RUN_OUTCOMES } from '#domains/feeds/feeds.model.ts'
import { INCIDENT_SEVERITIES } from '#domains/incidents/incidents.model.ts'
import { MS_PER_SECOND } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Config } from '#platform/config/settings.ts'
import { tryBearerToken } from '#platform/http/access.ts'
import { isFromInternalNetwork } from '#platform/http/internal-network.ts'
import { problems } from '#platform/http/schemas.ts'
import { gauge, gaugeBy, METRICS_CONTENT_TYPE, type MetricFamily, renderMetrics } from '#platform/metrics/exposition.ts'
import type { HttpMetrics } from '#platform/metrics/http-metrics.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'
import { shared, withinTime } from './bounded-check.ts'

type MetricsDeps = { services: Services; http: HttpMetrics; config: Pick<Config, 'METRICS_TOKEN'> }

/** Serves /metrics to holders of METRICS_TOKEN and to the internal network. Source: spec, "Probes and metrics". */
export function metricsRoute({ services, http, config }: MetricsDeps): FastifyPluginAsyncTypebox {
  // One reading of the database for all who ask meanwhile: a scraper that is too eager must not use up the pool.
  const readBase = shared(async () => await baseFamilies(services))
  return async (app) => {
    app.get(
      '/metrics',
      {
        config: { access: 'public' },
        onRequest: async (request) => requireReader(request, config.METRICS_TOKEN),
        schema: {
          operationId: 'getMetrics',
          summary: 'Figures for Prometheus; needs METRICS_TOKEN as bearer token, or an internal network',
          tags: ['probes'],
          produces: ['text/plain'],
          response: {
            200: { description: 'Text exposition format 0.0.4', content: { 'text/plain': { schema: Type.String() } } },
            ...problems(401),
          },
        },
      },
      async (_request, reply) => {
        const base = await withinTime<MetricFamily[] | undefined>(readBase(), undefined)
        const text = renderMetrics([
          ...processFamilies(),
          gauge('svc_database_up', 'Whether the database answers.', base === undefined ? 0 : 1),
          poolFamily(services),
          ...(await storeFamilies(services)),
          ...http.families(),
          ...(base ?? []),
        ])
        return await reply.header('content-type', METRICS_CONTENT_TYPE).send(text)
      },
    )
  }
}

/** A token that is sent must be right, also from inside. @throws token_missing, token_invalid */
function requireReader(request: FastifyRequest, expected: string | undefined): void {
  if (request.headers.authorization === undefined) {
    if (isFromInternalNetwork(request)) return
    throw new DomainError('token_missing', 'Send METRICS_TOKEN as "Authorization: Bearer ...", or ask from the internal network.')
  }
  if (expected === undefined || !isSame(tryBearerToken(request) ?? '', expected))
    throw new DomainError('token_invalid', 'This is not the token that METRICS_TOKEN names.')
}

/** Digests have one length, so the time says nothing about the token. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage()
  const startedAt = Date.now() / MS_PER_SECOND - process.uptime()
  return [
    { name: 'svc_build_info', help: 'The version that runs.', type: 'gauge', samples: [{ labels: { version: VERSION }, value: 1 }] },
    gauge('svc_process_start_time_seconds', 'When this process started, seconds since 1970.', startedAt),
    gauge('svc_process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    {
      name: 'svc_process_cpu_seconds_total',
      help: 'Processor time of this process.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
  ]
}

function poolFamily({ pool }: Services): MetricFamily {
  return gaugeBy('svc_database_connections', 'Connections of the pool of this process, and statements that wait for one.', {
    label: 'state',
    values: { idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount },
  })
}

/** None without a store: it cannot be down. */
async function storeFamilies({ redis }: Services): Promise<MetricFamily[]> {
  if (redis === undefined) return []
  const answers = await withinTime(redis.isReachable(), false)
  return [gauge('svc_store_up', 'Whether the key-value store answers.', answers ? 1 : 0)]
}

/** What only the database knows: the same from every process of one installation. */
async function baseFamilies({ feedFigures, indicators, alerts, incidentReading, cvesSync }: Services): Promise<MetricFamily[]> {
  const [{ feeds, due, queueAgeMs, runs }, active, open, openIncidents, sync] = await Promise.all([
    feedFigures.read(),
    indicators.countActive(),
    alerts.countOpen(),
    incidentReading.countOpen(),
    cvesSync.status(),
  ])
  const runsBy = Object.fromEntries(RUN_OUTCOMES.map((outcome) => [outcome, runs.find((total) => total.outcome === outcome)?.runs ?? 0]))
  const sum = (pick: (total: (typeof runs)[number]) => number) => runs.reduce((all, total) => all + pick(total), 0)
  const ended = sum((total) => (total.outcome === 'RUNNING' ? 0 : total.runs))
  const switchedOn = feeds.filter(({ is_active }) => is_active)
  const inState = (state: string) => switchedOn.filter(({ status }) => status === state).length
  return [
    gauge('svc_indicators_active', 'Indicators that are neither expired nor excluded; an estimate above 10000.', active.total),
    gaugeBy(
      'svc_cve_sync_success_timestamp_seconds',
      'When the last good synchronisation of a source ended, seconds since 1970; 0 for never.',
      {
        label: 'source',
        values: Object.fromEntries(
          sync.sources.map(({ source, succeeded_at }) => [source, (succeeded_at?.getTime() ?? 0) / MS_PER_SECOND]),
        ),
      },
    ),
    gaugeBy('svc_alerts_open', 'Alerts that nobody has acknowledged, by priority.', {
      label: 'priority',
      values: Object.fromEntries(ALERT_PRIORITIES.map((word) => [word, open.find(({ priority }) => priority === word)?.count ?? 0])),
    }),
    gaugeBy('svc_incidents_open', 'Incidents that are not closed, by severity.', {
      label: 'severity',
      values: Object.fromEntries(
        INCIDENT_SEVERITIES.map((word) => [word, openIncidents.find(({ severity }) => severity === word)?.count ?? 0]),
      ),
    }),
    gaugeBy('svc_feeds', 'Feeds by state; those that are switched off are OFF.', {
      label: 'state',
      values: {
        PENDING: inState('PENDING'),
        HEALTHY: inState('HEALTHY'),
        DEGRADED: inState('DEGRADED'),
        OFF: feeds.length - switchedOn.length,
      },
    }),
    {
      name: 'svc_feed_state',
      help: 'The state of each feed that is switched on, as a label.',
      type: 'gauge',
      samples: switchedOn.map(({ name, status }) => ({ labels: { feed: name, state: status }, value: 1 })),
    },
    {
      name: 'svc_feed_last_success_timestamp_seconds',
      help: 'Last successful collection of each feed that is switched on, seconds since 1970.',
      type: 'gauge',
      samples: switchedOn.flatMap(({ name, last_success }) =>
        last_success === null ? [] : [{ labels: { feed: name }, value: last_success.getTime() / MS_PER_SECOND }],
      ),
    },
    gauge('svc_feeds_due', 'Feeds that wait to be collected.', due),
    gauge('svc_feed_queue_age_seconds', 'How long the first of them has been waiting.', queueAgeMs / MS_PER_SECOND),
    gaugeBy('svc_collections_24h', 'Collections that began within 24 hours, by outcome.', { label: 'outcome', values: runsBy }),
    gaugeBy('svc_collection_rows_24h', 'Rows of these collections, and what became of them.', {
      label: 'kind',
      values: {
        read: sum((total) => total.rows),
        new: sum((total) => total.new_count),
        updated: sum((total) => total.updated_count),
        gone: sum((total) => total.gone_count),
        rejected: sum((total) => total.rejected_count),
        unsupported: sum((total) => total.unsupported_count),
      },
    }),
    gaugeBy('svc_collection_duration_24h_seconds', 'Time that these collections took.', {
      label: 'figure',
      values: {
        mean: ended === 0 ? 0 : sum((total) => total.duration_ms) / ended / MS_PER_SECOND,
        max: runs.reduce((longest, total) => Math.max(longest, total.longest_ms), 0) / MS_PER_SECOND,
      },
    }),
  ]
}
