import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const ROUNDS = 300

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

type Admin = { id: string; username: string; token: string }

/** Five accounts with a session each, made once: a round only gives them back what the round before took. */
let everybody: Admin[] = []
beforeAll(async () => {
  const { accounts, sessions } = app.services
  everybody = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      const { id, username } = await accounts.createUser(COMMAND_LINE_ACTOR, { username: `a${n}`, password: TEST_PASSWORD, role: 'VIEWER' })
      const { access_token } = await sessions.login(
        { username, password: TEST_PASSWORD },
        { clientIp: `198.51.100.${n}`, requestId: 'last-administrator' },
      )
      return { id, username, token: access_token }
    }),
  )
})

/** The first `count` of them are administrators with an open session; nobody else is. */
async function restoreAdmins(count: number): Promise<Admin[]> {
  const { db } = app.services
  const admins = everybody.slice(0, count)
  const ids = admins.map(({ id }) => id)
  await db.updateTable('users').set({ role: 'VIEWER' }).where('role', '=', 'ADMIN').execute()
  await db.updateTable('users').set({ role: 'ADMIN', status: 'ACTIVE' }).where('id', 'in', ids).execute()
  await db.updateTable('sessions').set({ revoked_at: null, revoked_reason: null }).where('user_id', 'in', ids).execute()
  return admins
}

async function countActiveAdmins(): Promise<number> {
  const rows = await app.services.db.selectFrom('users').select('id').where('role', '=', 'ADMIN').where('status', '=', 'ACTIVE').execute()
  return rows.length
}

type Change = { role: 'VIEWER' } | { status: 'DISABLED' }

async function overApi(by: Admin, target: Admin, change: Change): Promise<number> {
  const headers = { authorization: `Bearer ${by.token}` }
  return (await app.app.inject({ method: 'PATCH', url: `/api/v1/users/${target.id}`, headers, payload: change })).statusCode
}

/** What `svc users disable` and `set-role` call. */
async function onCommandLine(target: Admin, change: Change): Promise<number> {
  try {
    await app.services.accounts.changeUser(COMMAND_LINE_ACTOR, target.id, change)
    return 200
  } catch (error) {
    return error instanceof DomainError ? 409 : 500
  }
}

const DEMOTE = { role: 'VIEWER' } as const
const DISABLE = { status: 'DISABLED' } as const

/** Each change is of the next administrator, so that together they would leave none. */
const MIXES: Record<string, { admins: number; change(admins: Admin[], n: number): Promise<number> }> = {
  'two demote each other over the API': {
    admins: 2,
    change: async (admins, n) => await overApi(at(admins, n), at(admins, n + 1), DEMOTE),
  },
  'three disable each other in a ring over the API': {
    admins: 3,
    change: async (admins, n) => await overApi(at(admins, n), at(admins, n + 1), DISABLE),
  },
  'five, demoted over the API and disabled on the command line': {
    admins: 5,
    change: async (admins, n) =>
      n % 2 === 0 ? await overApi(at(admins, n), at(admins, n + 1), DEMOTE) : await onCommandLine(at(admins, n + 1), DISABLE),
  },
  'two leave by themselves': {
    admins: 2,
    change: async (admins, n) => await overApi(at(admins, n), at(admins, n), n % 2 === 0 ? DEMOTE : DISABLE),
  },
}

function at(admins: readonly Admin[], n: number): Admin {
  const admin = admins[n % admins.length]
  if (admin === undefined) throw new Error('There are no administrators.')
  return admin
}

describe('A12: one active administrator remains', () => {
  test.each(Object.entries(MIXES))(
    `${ROUNDS} rounds: %s`,
    async (_, { admins: count, change }) => {
      const statuses: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const admins = await restoreAdmins(count)
        statuses.push(...(await Promise.all(admins.map(async (_, n) => await change(admins, n)))))
        expect(await countActiveAdmins(), `round ${round}`).toBeGreaterThan(0)
      }
      // 401 and 403: whoever asked had been put out a moment before.
      expect(statuses.filter((status) => ![200, 401, 403, 409].includes(status))).toEqual([])
      expect(statuses).toContain(200)
    },
    180_000,
  )
})
