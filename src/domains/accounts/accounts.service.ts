import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor, Role } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { AccessTokens } from '#platform/crypto/access-token.ts'
import { hashPassword, verifyPassword } from '#platform/crypto/password-hash.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { ACCESS_TOKEN_SECONDS, type User } from './accounts.model.ts'
import { countUsers, findCredentials, findUser, insertUser, listUsers, markLogin } from './accounts.store.ts'
import type { Admission, LoginLimiter } from './login-limiter.service.ts'
import { passwordFault } from './password.ts'

export type AccountsDeps = { db: Db; log: Log; clock: Clock; audit: AuditService; tokens: AccessTokens; limiter: LoginLimiter }
export type AccountsService = {
  /** @throws login_blocked; invalid_credentials, the same for an unknown name, a wrong password and a disabled account */
  login(
    credentials: { username: string; password: string },
    origin: { clientIp: string; requestId: string },
  ): Promise<{ access_token: string; expires_in: number }>
  /** The account behind an access token, read anew. @throws token_invalid, token_expired, account_disabled */
  authenticate(token: string): Promise<User>
  getUser(id: string): Promise<User>
  /** @throws password_policy, duplicate_name */
  createUser(actor: Actor, user: { username: string; email?: string; password: string; role: Role }): Promise<User>
  listUsers(): Promise<User[]>
  hasUsers(): Promise<boolean>
}

/** What a user name may be made of. Assumption: letters of any script would let two names look alike. */
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

export function createAccountsService({ db, log, clock, audit, tokens, limiter }: AccountsDeps): AccountsService {
  /** @throws login_blocked, journalled */
  async function admit(actor: Actor, clientIp: string): Promise<Admission> {
    try {
      return await limiter.admit(actor.name, clientIp)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'login_blocked')
        await audit.recordRefusal(actor, { action: 'auth.login', outcome: 'DENIED', details: { reason: 'blocked' } })
      throw error
    }
  }

  return {
    async login({ username, password }, { clientIp, requestId }) {
      const caller: Actor = { name: username.slice(0, 64), role: 'VIEWER', clientIp, requestId }
      const admission = await admit(caller, clientIp)
      const account = await findCredentials(db, username).catch(async (error: unknown) => {
        // Nobody guessed anything.
        await admission.success()
        throw error
      })
      const matches = await verifyPassword(account?.password_hash, password)
      if (account === undefined || !matches || account.status !== 'ACTIVE') {
        await audit.recordRefusal(caller, { action: 'auth.login', outcome: 'FAILURE' })
        throw new DomainError('invalid_credentials', 'The user name or the password is wrong.')
      }
      await admission.success()
      const actor: Actor = { id: account.id, name: account.username, role: account.role, clientIp, requestId }
      await transact(db, log, async (tx) => {
        await markLogin(tx.db, account.id, clock())
        await audit.record(tx, actor, { action: 'auth.login' })
      })
      return { access_token: await tokens.issue(account.id, ACCESS_TOKEN_SECONDS), expires_in: ACCESS_TOKEN_SECONDS }
    },

    async authenticate(token) {
      const user = await findUser(db, await tokens.verify(token))
      if (user === undefined) throw new DomainError('token_invalid', 'The access token is not valid. Log in again.')
      if (user.status !== 'ACTIVE') throw new DomainError('account_disabled', 'This account is disabled. Ask an administrator.')
      return user
    },

    async getUser(id) {
      const user = await findUser(db, id)
      if (user === undefined) throw new DomainError('not_found', 'There is no such user.')
      return user
    },

    async createUser(actor, { username, email, password, role }) {
      if (!USERNAME.test(username))
        throw refuseField('username', 'Use 1 to 64 letters, digits, dots, hyphens, underscores or @, beginning with a letter or digit.')
      const fault = passwordFault(password, username)
      if (fault !== undefined) throw new DomainError('password_policy', fault.message, [fault])
      const password_hash = await hashPassword(password)
      return await transact(db, log, async (tx) => {
        const user = await insertUser(tx.db, { id: newId(), username, email: email ?? null, password_hash, role, at: clock() })
        await audit.record(tx, actor, { action: 'user.created', target: { type: 'user', id: user.id, name: username }, details: { role } })
        return user
      })
    },

    async listUsers() {
      return await listUsers(db)
    },

    async hasUsers() {
      return (await countUsers(db)) > 0
    },
  }
}
