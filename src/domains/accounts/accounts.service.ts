import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor, Role } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { hashPassword, verifyPassword } from '#platform/crypto/password-hash.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { USERS_PAGE_ROWS, type User, type UserStatus } from './accounts.model.ts'
import {
  countUsers,
  findCredentials,
  findUser,
  findUserByName,
  insertUser,
  lockActiveAdmins,
  pageUsers,
  type UserWithSessions,
  updatePassword,
  updateUser,
} from './accounts.store.ts'
import { generatePassword } from './generate-password.ts'
import type { LoginLimiter } from './login-limiter.service.ts'
import { passwordFault } from './password.ts'
import { revokeSessions } from './sessions.store.ts'

export type AccountsDeps = { db: Db; log: Log; clock: Clock; audit: AuditService; limiter: LoginLimiter }
/** Null when the password was chosen; otherwise to be shown once. */
export type Generated = { generated_password: string | null }
export type UserPage = { items: UserWithSessions[]; total: number; total_exact: boolean; next: string | null }
export type NewAccount = { username: string; email?: string; password?: string; role: Role }
export type AccountPatch = { version?: number; role?: Role; status?: UserStatus; email?: string | null }

export type AccountsService = {
  getUser(id: string): Promise<User>
  /** @throws not_found */
  getUserByName(username: string): Promise<User>
  /** Accounts by name. @throws validation_failed for a cursor of another list */
  pageUsers(page: { cursor?: string; limit?: number }): Promise<UserPage>
  hasUsers(): Promise<boolean>
  /** @throws password_policy, duplicate_name, forbidden */
  createUser(actor: Actor, account: NewAccount): Promise<User & Generated>
  /** Role, status and address of an account. Disabling ends its sessions. @throws not_found, conflict, last_admin, forbidden */
  changeUser(actor: Actor, id: string, patch: AccountPatch): Promise<User>
  /** Sets a new password, or generates one, and ends every session of the account. @throws not_found, password_policy, forbidden */
  resetPassword(actor: Actor, id: string, password?: string): Promise<Generated>
  /** @returns how many were open @throws not_found, forbidden */
  revokeSessions(actor: Actor, id: string): Promise<number>
  /** The caller's own password; the other sessions end. @throws login_blocked, validation_failed (the current one is wrong), password_policy */
  changeOwnPassword(actor: Actor, passwords: { current: string; next: string }): Promise<void>
}

/** What a user name may be made of. Assumption: letters of any script, and dots and signs at either end, would let two names look alike. */
const USERNAME = /^[A-Za-z0-9](?:[A-Za-z0-9._@-]{0,62}[A-Za-z0-9])?$/

export function createAccountsService({ db, log, clock, audit, limiter }: AccountsDeps): AccountsService {
  /** Administration changes one account at a time, and only while whoever asks is still an administrator: a request may have waited for long. */
  async function administer<Result>(actor: Actor, work: (tx: Tx, activeAdmins: readonly string[]) => Promise<Result>): Promise<Result> {
    return await transact(db, log, async (tx) => {
      const activeAdmins = await lockActiveAdmins(tx.db)
      if (actor.id !== undefined && !activeAdmins.includes(actor.id))
        throw new DomainError('forbidden', 'You are an administrator no longer. Nothing was changed.')
      return await work(tx, activeAdmins)
    })
  }

  async function requireUser(from: Db, id: string): Promise<User> {
    const user = await findUser(from, id)
    if (user === undefined) throw new DomainError('not_found', 'There is no such user.')
    return user
  }

  function targetOf({ id, username }: User): { type: string; id: string; name: string } {
    return { type: 'user', id, name: username }
  }

  /** One row of the journal for each thing that was done. */
  async function journalChange(tx: Tx, actor: Actor, before: User, after: User): Promise<void> {
    const target = targetOf(after)
    if (before.status !== after.status) {
      const ended =
        after.status === 'DISABLED' ? await revokeSessions(tx.db, { userId: after.id }, { reason: 'account_disabled', at: clock() }) : 0
      await audit.record(tx, actor, {
        action: after.status === 'DISABLED' ? 'user.disabled' : 'user.enabled',
        target,
        ...(after.status === 'DISABLED' ? { details: { sessions_ended: ended } } : {}),
      })
    }
    if (before.role === after.role && before.email === after.email) return
    await audit.record(tx, actor, {
      action: 'user.updated',
      target,
      details: {
        ...(before.role === after.role ? {} : { role_from: before.role, role_to: after.role }),
        ...(before.email === after.email ? {} : { email_changed: true }),
      },
    })
  }

  return {
    getUser: async (id) => await requireUser(db, id),

    async getUserByName(username) {
      const user = await findUserByName(db, username)
      if (user === undefined) throw new DomainError('not_found', `There is no user named ${username}. \`svc users list\` shows them.`)
      return user
    },

    async pageUsers({ cursor, limit = USERS_PAGE_ROWS }) {
      const rows = await pageUsers(db, {
        limit: limit + 1,
        at: clock(),
        ...(cursor === undefined ? {} : { after: parseCursor(cursor) }),
      })
      const items = rows.slice(0, limit)
      const last = rows.length > limit ? items.at(-1)?.id : undefined
      return { items, total: await countUsers(db), total_exact: true, next: last === undefined ? null : toCursor(last) }
    },

    async hasUsers() {
      return (await countUsers(db)) > 0
    },

    async createUser(actor, { username, email, password, role }) {
      if (!USERNAME.test(username))
        throw refuseField(
          'username',
          'Use 1 to 64 letters, digits, dots, hyphens, underscores or @, with a letter or digit at the beginning and at the end.',
        )
      const chosen = choosePassword(username, password)
      const password_hash = await hashPassword(chosen.password)
      return await administer(actor, async (tx) => {
        const user = await insertUser(tx.db, { id: newId(), username, email: email ?? null, password_hash, role, at: clock() })
        await audit.record(tx, actor, { action: 'user.created', target: targetOf(user), details: { role } })
        return { ...user, generated_password: chosen.generated }
      })
    },

    async changeUser(actor, id, { version, ...patch }) {
      return await administer(actor, async (tx, activeAdmins) => {
        const before = await requireUser(tx.db, id)
        if (version !== undefined && version !== before.version)
          throw new DomainError('conflict', 'Somebody else has changed this account in the meantime. Read it again, then change it.')
        const wanted = {
          role: patch.role ?? before.role,
          status: patch.status ?? before.status,
          email: patch.email === undefined ? before.email : patch.email,
        }
        if (wanted.role === before.role && wanted.status === before.status && wanted.email === before.email) return before
        const staysAdmin = wanted.role === 'ADMIN' && wanted.status === 'ACTIVE'
        if (!staysAdmin && activeAdmins.length === 1 && activeAdmins[0] === id)
          throw new DomainError('last_admin', `${before.username} is the last active administrator. Make another one first.`)
        const after = await updateUser(tx.db, id, { ...wanted, at: clock() })
        await journalChange(tx, actor, before, after)
        return after
      })
    },

    async resetPassword(actor, id, password) {
      const { username } = await requireUser(db, id)
      const chosen = choosePassword(username, password)
      const password_hash = await hashPassword(chosen.password)
      return await administer(actor, async (tx) => {
        const user = await requireUser(tx.db, id)
        const at = clock()
        await updatePassword(tx.db, id, { password_hash, at })
        const ended = await revokeSessions(tx.db, { userId: id }, { reason: 'password_reset', at })
        await audit.record(tx, actor, {
          action: 'user.password_reset',
          target: targetOf(user),
          details: { generated: chosen.generated !== null, sessions_ended: ended },
        })
        return { generated_password: chosen.generated }
      })
    },

    async revokeSessions(actor, id) {
      return await administer(actor, async (tx) => {
        const user = await requireUser(tx.db, id)
        const revoked = await revokeSessions(tx.db, { userId: id }, { reason: 'revoked', at: clock() })
        await audit.record(tx, actor, { action: 'user.sessions_revoked', target: targetOf(user), details: { revoked } })
        return revoked
      })
    },

    async changeOwnPassword(actor, { current, next }) {
      const fault = passwordFault(next, actor.name, 'new_password')
      if (fault !== undefined) throw new DomainError('password_policy', fault.message, [fault])
      const admission = await limiter.admit(actor.name, actor.clientIp ?? '')
      const account = await findCredentials(db, actor.name)
      const target = { type: 'user', ...(actor.id === undefined ? {} : { id: actor.id }), name: actor.name }
      if (account === undefined || account.id !== actor.id || !(await verifyPassword(account.password_hash, current))) {
        await audit.recordRefusal(actor, { action: 'user.password_changed', outcome: 'FAILURE', target })
        throw refuseField('current_password', 'This is not your present password.')
      }
      await admission.success()
      const password_hash = await hashPassword(next)
      await transact(db, log, async (tx) => {
        const at = clock()
        if (!(await updatePassword(tx.db, account.id, { password_hash, replaces: account.password_hash, at })))
          throw new DomainError('conflict', 'The password was changed elsewhere in the meantime.')
        const others = { userId: account.id, ...(actor.sessionId === undefined ? {} : { except: actor.sessionId }) }
        const ended = await revokeSessions(tx.db, others, { reason: 'password_changed', at })
        await audit.record(tx, actor, { action: 'user.password_changed', target, details: { sessions_ended: ended } })
      })
    },
  }
}

/** @throws password_policy */
function choosePassword(username: string, given: string | undefined): { password: string; generated: string | null } {
  if (given === undefined) {
    const password = generatePassword()
    return { password, generated: password }
  }
  const fault = passwordFault(given, username)
  if (fault !== undefined) throw new DomainError('password_policy', fault.message, [fault])
  return { password: given, generated: null }
}
