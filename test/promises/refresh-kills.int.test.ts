import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort, type SvcProcess, startSvc } from '../support/svc-process.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ROUNDS = 10
/** Sessions that renew at once when the process is killed. */
const CLIENTS = 25
const SECRET_KEY = randomBytes(32).toString('hex')

let app: TestApp
let owner: pg.Client
beforeAll(async () => {
  app = await createTestApp({ SECRET_KEY })
  owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await app.close()
})

async function startApi(): Promise<{ api: SvcProcess; url: string }> {
  const api = startSvc(['serve'], {
    DATABASE_URL: app.database.appUrl,
    SECRET_KEY,
    PORT: String(await findFreePort()),
    RATE_LIMIT_PER_ADDRESS: '0',
  })
  return { api, url: await api.until((stdout) => /running at (\S+)/.exec(stdout)?.[1]) }
}

/** A session of the viewer, as a login opens it. No password is hashed: it is not the matter here. @returns its refresh token */
async function openSession(): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const digest = createHash('sha256').update(token).digest()
  await owner.query(
    `with opened as (
       insert into sessions (id, user_id, created_at, last_used_at, expires_at)
       select $1, id, now(), now(), now() + interval '7 days' from users where username = 'viewer' returning id)
     insert into refresh_tokens (digest, session_id, issued_at, expires_at) select $2, id, now(), now() + interval '7 days' from opened`,
    [randomUUID(), digest],
  )
  return token
}

type Pair = { access_token: string; refresh_token: string }
/** What a client was told: the new pair, or nothing. */
async function renew(url: string, token: string): Promise<Pair | undefined> {
  try {
    const answer = await fetch(`${url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    })
    return answer.ok ? ((await answer.json()) as Pair) : undefined
  } catch {
    return undefined
  }
}

async function present(token: string): Promise<{ status: number; code: unknown }> {
  const answer = await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refresh_token: token } })
  return { status: answer.statusCode, code: answer.json().code }
}

/** Waits until the server has noticed that the killed process is gone, so that no transaction of it is open any more. */
async function settle(): Promise<void> {
  const open = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'svc api' and state <> 'idle'`
  while ((await owner.query(open)).rowCount !== 0) await sleep(20)
}

/** Unused tokens of each open session that has other than one, and renewals without their journal row. */
async function findFaults(): Promise<{ forked: unknown[]; unjournalled: unknown[] }> {
  const forked = await owner.query(`
    select s.id, count(t.digest) filter (where t.used_at is null) as unused
    from sessions s join refresh_tokens t on t.session_id = s.id group by s.id
    having count(t.digest) filter (where t.used_at is null) <> 1`)
  const unjournalled = await owner.query(`
    select s.id from sessions s
    where (select count(*) from refresh_tokens t where t.session_id = s.id and t.used_at is not null)
       <> (select count(*) from audit_events a where a.action = 'auth.refresh' and a.outcome = 'SUCCESS' and a.target_id = s.id::text)`)
  return { forked: forked.rows, unjournalled: unjournalled.rows }
}

describe('A3: a process that is killed between a renewal and its answer', () => {
  test(`${ROUNDS} times kill -9 under ${CLIENTS} renewals: the old token works or was used, no session has two, each renewal has its row`, async () => {
    const told = { pairs: 0, lost: 0, untouched: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const { api, url } = await startApi()
      const held: string[] = []
      for (let n = 0; n < CLIENTS; n++) held.push(await openSession())
      // Among the answers, so that others are on their way.
      const killAfter = 1 + Math.floor(Math.random() * (CLIENTS - 5))
      let answered = 0
      const renewing = held.map(async (old) => {
        const pair = await renew(url, old)
        answered++
        if (answered === killAfter) api.child.kill('SIGKILL')
        return { old, pair }
      })
      expect(await api.ended).toBe('SIGKILL')
      const clients = await Promise.all(renewing)
      await settle()
      expect(await findFaults(), `round ${round}`).toEqual({ forked: [], unjournalled: [] })

      for (const { old, pair } of clients) {
        // Told of the new pair: it is the good one. Told nothing: the old token is untouched, or was exchanged and the answer is lost.
        const { status, code } = await present(pair?.refresh_token ?? old)
        if (pair !== undefined) {
          expect(status).toBe(200)
          expect((await present(old)).code).toBe('refresh_reused')
          told.pairs++
        } else if (status === 200) told.untouched++
        else {
          expect(code).toBe('refresh_reused')
          told.lost++
        }
      }
    }
    // Otherwise the kills fell into nothing.
    expect(told.pairs, JSON.stringify(told)).toBeGreaterThan(0)
    expect(told.untouched + told.lost, JSON.stringify(told)).toBeGreaterThan(0)
  }, 180_000)
})
