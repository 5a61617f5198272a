import { expect, test } from 'vitest'
import { renderMetrics } from './exposition.ts'
import { createHttpMetrics } from './http-metrics.ts'

const linesOf = (metrics: ReturnType<typeof createHttpMetrics>) =>
  renderMetrics(metrics.families())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

test('requests are counted by method, route and status, and their durations by method and route', () => {
  const metrics = createHttpMetrics()
  const route = '/api/v1/feeds/:id'
  for (const durationMs of [4, 5, 31, 20_000]) metrics.noteRequest({ method: 'GET', route, status: 200, durationMs })
  metrics.noteRequest({ method: 'GET', route, status: 404, durationMs: 1 })
  const lines = linesOf(metrics)
  expect(lines).toContain('svc_http_requests_total{method="GET",route="/api/v1/feeds/:id",status="200"} 4')
  expect(lines).toContain('svc_http_requests_total{method="GET",route="/api/v1/feeds/:id",status="404"} 1')
  const buckets = lines.filter((line) => line.includes('_bucket')).map((line) => Number(line.split(' ').at(-1)))
  expect(buckets).toEqual([3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5])
  expect(lines).toContain('svc_http_request_duration_seconds_sum{method="GET",route="/api/v1/feeds/:id"} 20.041')
  expect(lines).toContain('svc_http_request_duration_seconds_count{method="GET",route="/api/v1/feeds/:id"} 5')
})

test('addresses without a route are one series a status, whatever the method', () => {
  const metrics = createHttpMetrics()
  for (const method of ['GET', 'POST', 'PROPFIND']) metrics.noteRequest({ method, route: undefined, status: 404, durationMs: 1 })
  expect(linesOf(metrics)).toEqual(['svc_http_requests_total{method="(any)",route="(unknown)",status="404"} 3'])
})

test('refusals are counted by code', () => {
  const metrics = createHttpMetrics()
  for (const code of ['token_expired', 'token_expired', 'forbidden']) metrics.noteRefusal(code)
  expect(linesOf(metrics)).toEqual(['svc_auth_refusals_total{code="token_expired"} 2', 'svc_auth_refusals_total{code="forbidden"} 1'])
})
