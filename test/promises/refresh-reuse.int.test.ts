import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Tokens } from '#domains/accounts/sessions.service.ts'
import { withSuperuser } from '#platform/database/embedded/cluster-roles.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const ROUNDS = 200
const PARALLEL = 50
const ORIGIN = { clientIp: '203.0.113.7', requestId: 'refresh-reuse' }

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

async function refresh(token: string) {
  return await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refresh_token: token } })
}

/** As a client does: a service that is too busy has not looked at the token, and is asked again. */
async function refreshAnswered(token: string) {
  for (;;) {
    const answer = await refresh(token)
    if (answer.statusCode !== 503) return answer
    await sleep(50)
  }
}

async function answers(tokens: { access_token: string }): Promise<number> {
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  return (await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers })).statusCode
}

async function logIn(): Promise<Tokens> {
  return await app.services.sessions.login({ username: 'viewer', password: TEST_PASSWORD }, ORIGIN)
}

async function countReuses(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_events where action = 'auth.refresh' and details ->> 'reason' = 'reuse_detected'`.execute(
    app.services.db,
  )
  return rows[0]?.count ?? 0
}

describe('A3: a refresh token that is used twice', () => {
  test(`${ROUNDS} rounds of ${PARALLEL} uses at once: one wins, its session ends, each reuse has its row, the sibling session lives`, async () => {
    const sibling = await logIn()
    let reused = await countReuses()
    for (let round = 0; round < ROUNDS; round++) {
      const tokens = await logIn()
      const results = await Promise.all(Array.from({ length: PARALLEL }, async () => await refreshAnswered(tokens.refresh_token)))
      const won = results.filter(({ statusCode }) => statusCode === 200)
      const refused = results.filter(({ statusCode }) => statusCode === 401)
      expect(won).toHaveLength(1)
      expect(refused.map((answer) => answer.json().code)).toEqual(Array.from({ length: PARALLEL - 1 }, () => 'refresh_reused'))
      const winner = won[0]?.json() as Tokens
      // Nothing of the lineage opens anything any more.
      expect(await answers(winner)).toBe(401)
      expect((await refresh(winner.refresh_token)).json()).toMatchObject({ code: 'refresh_invalid' })
      const now = await countReuses()
      expect(now - reused).toBe(PARALLEL - 1)
      reused = now
    }
    expect(await answers(sibling)).toBe(200)
    expect((await refresh(sibling.refresh_token)).statusCode).toBe(200)
  }, 120_000)

  test('a grandparent that comes back after ten renewals ends the session too', async () => {
    const first = await logIn()
    let latest: { access_token: string; refresh_token: string } = first
    for (let n = 0; n < 10; n++) {
      const answer = await refresh(latest.refresh_token)
      expect(answer.statusCode).toBe(200)
      latest = answer.json()
    }
    expect(await answers(latest)).toBe(200)
    expect((await refresh(first.refresh_token)).json()).toMatchObject({ code: 'refresh_reused' })
    expect(await answers(latest)).toBe(401)
    expect((await refresh(latest.refresh_token)).json()).toMatchObject({ code: 'refresh_invalid' })
  })

  test('50 renewals whose connection is cut at a random moment: the old token works or was used, and no session is left with two', async () => {
    for (let round = 0; round < 50; round++) {
      const tokens = await logIn()
      const renewing = refresh(tokens.refresh_token)
      await sleep(Math.random() * 6)
      await cutConnections()
      const answer = await renewing
      const again = await settled(async () => await refresh(tokens.refresh_token))
      // Told of the new pair: the old one is used. Told nothing: it was written whole (and the answer lost) or not at all.
      if (answer.statusCode === 200) expect(again.json()).toMatchObject({ code: 'refresh_reused' })
      else expect([200, 401]).toContain(again.statusCode)
      const { session_id } = await app.services.db
        .selectFrom('refresh_tokens')
        .select('session_id')
        .orderBy('issued_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const unused = await app.services.db
        .selectFrom('refresh_tokens')
        .select('digest')
        .where('session_id', '=', session_id)
        .where('used_at', 'is', null)
        .execute()
      expect(unused).toHaveLength(1)
    }
  }, 60_000)
})

/** Ends every connection of the application to the database of this test, as a crash of the server would. */
async function cutConnections(): Promise<void> {
  const { port, superuserPassword } = inject('postgres')
  await withSuperuser(
    { port, password: superuserPassword },
    'postgres',
    async (client) =>
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'svc_app'", [
        app.database.name,
      ]),
  )
}

type Answer = Awaited<ReturnType<typeof refresh>>

/** The first answer that is not about the lost connection. */
async function settled(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask()
    if (answer.statusCode < 500 || attempt === 20) return answer
    await sleep(50)
  }
}

test('A3: random, malformed and foreign tokens are refused alike and journalled', async () => {
  const before = (await app.services.db.selectFrom('audit_events').select('id').where('action', '=', 'auth.refresh').execute()).length
  for (const token of ['x', 'A'.repeat(43), `${'A'.repeat(42)}=`, "' or 1=1", app.tokens.ADMIN, '\u0000'.repeat(43)])
    expect((await refresh(token)).json(), token).toMatchObject({ status: 401, code: 'refresh_invalid' })
  const after = (await app.services.db.selectFrom('audit_events').select('id').where('action', '=', 'auth.refresh').execute()).length
  expect(after - before).toBe(6)
})
