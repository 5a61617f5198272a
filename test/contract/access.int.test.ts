import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#kernel/actor.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/**
 * Who may call what, written by hand from the specification's table of permissions. A route that is not here fails the run.
 * `public` needs no login; otherwise the roles that may enter.
 */
const ACCESS: Record<string, 'public' | readonly Role[]> = {
  'GET /health': 'public',
  'GET /ready': 'public',
  // Guards itself: by its own token, or by the network. See test/promises/metrics-guard.int.test.ts.
  'GET /metrics': 'public',
  'POST /api/v1/auth/token': 'public',
  'POST /api/v1/auth/refresh': 'public',
  'POST /api/v1/auth/logout': 'public',
  'GET /api/v1/users/me': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/users/me/password': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/users/me/sessions': ['ADMIN', 'ANALYST', 'VIEWER'],
  'DELETE /api/v1/users/me/sessions/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/users': ['ADMIN'],
  'POST /api/v1/users': ['ADMIN'],
  'PATCH /api/v1/users/{id}': ['ADMIN'],
  'POST /api/v1/users/{id}/password': ['ADMIN'],
  'POST /api/v1/users/{id}/revoke-sessions': ['ADMIN'],
  'GET /api/v1/settings': ['ADMIN'],
  'GET /api/v1/indicators': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/indicators': ['ADMIN', 'ANALYST'],
  'GET /api/v1/indicators/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/indicators/lookup': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/cves': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/cves/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/cves/{id}/verdict': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/audit': ['ADMIN'],
  'GET /api/v1/audit/requests/{request_id}': ['ADMIN'],
  'GET /api/v1/stream': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/feeds': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/feeds': ['ADMIN'],
  'GET /api/v1/feeds/health': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/feeds/probe': ['ADMIN'],
  'GET /api/v1/feeds/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'PATCH /api/v1/feeds/{id}': ['ADMIN'],
  'DELETE /api/v1/feeds/{id}': ['ADMIN'],
  'POST /api/v1/feeds/{id}/fetch': ['ADMIN'],
  'GET /api/v1/feeds/{id}/runs': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/feeds/quality': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/feeds/quality': ['ADMIN'],
  'GET /api/v1/feeds/{id}/quality': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/cves/sync': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/alerts': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/alerts/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/alerts/{id}/ack': ['ADMIN', 'ANALYST'],
  'POST /api/v1/alerts/ack': ['ADMIN', 'ANALYST'],
  'GET /api/v1/alerts/{id}/deliveries': ['ADMIN'],
  'POST /api/v1/alerts/{id}/deliveries': ['ADMIN'],
  'GET /api/v1/incidents': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/incidents': ['ADMIN', 'ANALYST'],
  'GET /api/v1/incidents/assignees': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/assign': ['ADMIN', 'ANALYST'],
  // Reads: the list of what is asked for does not fit into an address.
  'POST /api/v1/incidents/related': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/incidents/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'PATCH /api/v1/incidents/{id}': ['ADMIN', 'ANALYST'],
  'GET /api/v1/incidents/{id}/timeline': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/incidents/{id}/related': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/incidents/{id}/report': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/incidents/{id}/transition': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/{id}/assign': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/{id}/escalate': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/{id}/comments': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/{id}/actions': ['ADMIN', 'ANALYST'],
  'POST /api/v1/incidents/{id}/links': ['ADMIN', 'ANALYST'],
  'PUT /api/v1/incidents/{id}/cves/{cve_id}': ['ADMIN', 'ANALYST'],
  'DELETE /api/v1/incidents/{id}/cves/{cve_id}': ['ADMIN', 'ANALYST'],
  'PUT /api/v1/incidents/{id}/indicators/{indicator_id}': ['ADMIN', 'ANALYST'],
  'DELETE /api/v1/incidents/{id}/indicators/{indicator_id}': ['ADMIN', 'ANALYST'],
  'GET /api/v1/product-aliases': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/product-aliases': ['ADMIN'],
  'DELETE /api/v1/product-aliases/{id}': ['ADMIN'],
  'GET /api/v1/warning-lists': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/warning-lists': ['ADMIN'],
  'DELETE /api/v1/warning-lists/{id}': ['ADMIN'],
  'GET /api/v1/exclusions': ['ADMIN', 'ANALYST', 'VIEWER'],
  'POST /api/v1/exclusions': ['ADMIN', 'ANALYST'],
  'GET /api/v1/exclusions/{id}': ['ADMIN', 'ANALYST', 'VIEWER'],
  'DELETE /api/v1/exclusions/{id}': ['ADMIN'],
  'POST /api/v1/exclusions/lists': ['ADMIN'],
  'DELETE /api/v1/exclusions/lists/{id}': ['ADMIN'],
  'GET /api/v1/dashboard/soc': ['ADMIN', 'ANALYST', 'VIEWER'],
  'GET /api/v1/dashboard/soc/csv': ['ADMIN', 'ANALYST', 'VIEWER'],
}
const ROLES = ['ADMIN', 'ANALYST', 'VIEWER'] as const
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
const ABSENT_ID = '00000000-0000-7000-8000-0000000000ee'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

function addressOf(route: string): [method: string, url: string] {
  const [method = '', path = ''] = route.split(' ')
  return [method, path.replace(/\{\w+\}/g, ABSENT_ID)]
}

test('every described route is in the table, and the table names no other', () => {
  expect(described.sort()).toEqual(Object.keys(ACCESS).sort())
})

describe('without a token', () => {
  test.each(Object.entries(ACCESS).filter(([, access]) => access !== 'public'))('%s answers 401 and says how to log in', async (route) => {
    const answer = await app.call(...addressOf(route))
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toContain('Bearer')
    expect(answer.json()).toMatchObject({ code: 'token_missing', status: 401 })
  })
})

describe.each(ROLES)('as %s', (role) => {
  test.each(Object.entries(ACCESS).filter(([, access]) => access !== 'public'))(
    '%s is open or closed as the table says',
    async (route, access) => {
      const answer = await app.call(...addressOf(route), role, route.startsWith('GET') ? undefined : {})
      if (access.includes(role)) expect([200, 201, 202, 404, 422]).toContain(answer.statusCode)
      else expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden' })
    },
  )
})

test('every denial is journalled with its request id', async () => {
  const answer = await app.call('DELETE', `/api/v1/feeds/${ABSENT_ID}`, 'VIEWER')
  const row = await app.services.db
    .selectFrom('audit_events')
    .selectAll()
    .where('request_id', '=', String(answer.headers['x-request-id']))
    .executeTakeFirst()
  expect(row).toMatchObject({ action: 'authz.denied', outcome: 'DENIED', actor_name: 'viewer' })
})

/** The row that a request falls under: its own, or that of a sibling with a parameter in its place. HEAD is GET without a body. */
function accessOf(method: string, path: string): 'public' | readonly Role[] | undefined {
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (ACCESS[asked] !== undefined) return ACCESS[asked]
  const sibling = Object.keys(ACCESS).find((route) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/ ]+')}$`).test(asked))
  return sibling === undefined ? undefined : ACCESS[sibling]
}

/** Whether the status is right for that row. */
function isRightStatus(status: number, access: 'public' | readonly Role[] | undefined, role: Role | undefined): boolean {
  if (access === undefined) return status === 404 || status === 405
  if (access === 'public') return status !== 403 && status < 500
  if (role === undefined) return status === 401
  if (!access.includes(role)) return status === 403
  return [200, 201, 202, 204, 404, 409, 422].includes(status)
}

describe('A5: every path x every method x {nobody, VIEWER, ANALYST, ADMIN}', () => {
  const requests = Object.keys(document.paths).flatMap((path) =>
    METHODS.flatMap((method) => [undefined, ...ROLES].map((role) => ({ path, method, role, who: role ?? 'nobody' }))),
  )
  test.each(requests)('$method $path as $who', async ({ path, method, role }) => {
    const body = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? undefined : {}
    // A logout with a token would end the session that the other requests use.
    const caller = path.endsWith('/auth/logout') && method === 'POST' ? undefined : role
    const { statusCode } = await app.call(method, path.replace(/\{\w+\}/g, ABSENT_ID), caller, body)
    expect(isRightStatus(statusCode, accessOf(method, path), role), `answered ${statusCode}`).toBe(true)
  })
})

test('a route of one kind does not open an object of another', async () => {
  const { body } = await app.call('GET', '/api/v1/users/me', 'VIEWER')
  const userId = (JSON.parse(body) as { id: string }).id
  for (const path of ['/api/v1/feeds/{id}', '/api/v1/feeds/{id}/runs', '/api/v1/indicators/{id}'])
    expect((await app.call('GET', path.replace('{id}', userId), 'ADMIN')).statusCode, path).toBe(404)
})
