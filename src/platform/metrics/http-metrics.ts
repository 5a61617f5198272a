import { MS_PER_SECOND } from '#kernel/clock.ts'
import type { Labels, MetricFamily, Sample } from './exposition.ts'

/** One answered request. `route` is its template, never the address as it was typed; undefined when no route fits. */
export type AnsweredRequest = { method: string; route: string | undefined; status: number; durationMs: number }
/** What this process has answered since its start. */
export type HttpMetrics = {
  noteRequest(request: AnsweredRequest): void
  /** A request that was refused for who sent it, by the code of the refusal. */
  noteRefusal(code: string): void
  families(): MetricFamily[]
}

/** Upper bounds of the buckets, seconds. Source: the defaults of Prometheus client libraries. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Stands for every address without a route, whatever the method: made-up addresses make no series. */
const NO_ROUTE = '(unknown)'

type Series<Value> = Map<string, { labels: Labels; value: Value }>
type Durations = { buckets: number[]; sumSeconds: number; count: number }

export function createHttpMetrics(): HttpMetrics {
  const requests: Series<number> = new Map()
  const durations: Series<Durations> = new Map()
  const refusals: Series<number> = new Map()

  return {
    noteRequest({ method, route, status, durationMs }) {
      if (route === undefined) return countUp(requests, { method: '(any)', route: NO_ROUTE, status: String(status) })
      countUp(requests, { method, route, status: String(status) })
      const { value } = seriesOf(durations, { method, route }, () => ({ buckets: BUCKETS_SECONDS.map(() => 0), sumSeconds: 0, count: 0 }))
      const seconds = durationMs / MS_PER_SECOND
      for (const [index, bound] of BUCKETS_SECONDS.entries()) if (seconds <= bound) value.buckets[index] = (value.buckets[index] ?? 0) + 1
      value.sumSeconds += seconds
      value.count++
    },
    noteRefusal: (code) => countUp(refusals, { code }),
    families: () => [
      {
        name: 'svc_http_requests_total',
        help: 'Answered requests of this process by route template and status.',
        type: 'counter',
        samples: toSamples(requests),
      },
      {
        name: 'svc_http_request_duration_seconds',
        help: 'Time to the end of the answer, for addresses that have a route.',
        type: 'histogram',
        samples: [...durations.values()].flatMap(({ labels, value }) => toHistogram(labels, value)),
      },
      {
        name: 'svc_auth_refusals_total',
        help: 'Refused logins, tokens and roles of this process by code.',
        type: 'counter',
        samples: toSamples(refusals),
      },
    ],
  }
}

function seriesOf<Value>(all: Series<Value>, labels: Labels, first: () => Value): { labels: Labels; value: Value } {
  const key = JSON.stringify(labels)
  const known = all.get(key)
  if (known !== undefined) return known
  const made = { labels, value: first() }
  all.set(key, made)
  return made
}

function countUp(all: Series<number>, labels: Labels): void {
  seriesOf(all, labels, () => 0).value++
}

function toSamples(all: Series<number>): Sample[] {
  return [...all.values()]
}

function toHistogram(labels: Labels, { buckets, sumSeconds, count }: Durations): Sample[] {
  return [
    ...BUCKETS_SECONDS.map((bound, index) => ({ part: '_bucket', labels: { ...labels, le: String(bound) }, value: buckets[index] ?? 0 })),
    { part: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { part: '_sum', labels, value: sumSeconds },
    { part: '_count', labels, value: count },
  ]
}
