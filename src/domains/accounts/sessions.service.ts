import type { AuditEntry } from '#domains/audit/audit.model.ts'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { stripInvisible } from '#kernel/text.ts'
import type { AccessTokens, TokenHolder } from '#platform/crypto/access-token.ts'
import { verifyPassword } from '#platform/crypto/password-hash.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_MS,
  SESSION_MAX_MS,
  SESSION_RETENTION_MS,
  type Session,
  USER_AGENT_CHARACTERS,
  type User,
} from './accounts.model.ts'
import { findCredentials, findUser } from './accounts.store.ts'
import type { Admission, LoginLimiter } from './login-limiter.service.ts'
import { newRefreshToken, tryDigestRefreshToken } from './refresh-token.ts'
import {
  deleteEndedSessions,
  findCaller,
  findRefreshToken,
  findSessionOfToken,
  insertRefreshToken,
  type LockedSession,
  listOpenSessions,
  lockSession,
  markTokenUsed,
  openSession,
  renewSession,
  revokeSessions,
} from './sessions.store.ts'

/** Where a request came from. */
export type Origin = { clientIp: string; requestId: string; userAgent?: string | undefined }
/** What a login or a renewal gives out. */
export type Tokens = { access_token: string; expires_in: number; refresh_token: string; refresh_expires_at: Date }
/** Who calls: the account as it is now, and the session that its token belongs to. */
export type Caller = User & { session_id: string; token_expires_at: Date }

export type SessionsService = {
  /**
   * @param replaces the refresh token that the same browser still held: that session ends
   * @throws login_blocked; invalid_credentials, the same for an unknown name, a wrong password and a disabled account
   */
  login(credentials: { username: string; password: string }, origin: Origin, replaces?: string): Promise<Tokens>
  /** Exchanges a refresh token for a new pair. One that was used before ends its whole session. @throws refresh_invalid, refresh_reused */
  refresh(refreshToken: string, origin: Origin): Promise<Tokens>
  /** Ends the session of either token; a token that opens nothing is no error. */
  logout(tokens: { refreshToken?: string | undefined; accessToken?: string | undefined }, origin: Origin): Promise<void>
  /** The account behind an access token, read anew with its session. @throws token_invalid, token_expired, account_disabled */
  authenticate(accessToken: string): Promise<Caller>
  listOwn(actor: Actor): Promise<(Session & { current: boolean })[]>
  /** Ends one of the caller's own sessions. @throws not_found, also for somebody else's */
  endOwn(actor: Actor, sessionId: string): Promise<void>
  /** Deletes what ended 30 days ago. @returns how many sessions */
  purgeEnded(signal: AbortSignal): Promise<number>
}

export type SessionsDeps = { db: Db; log: Log; clock: Clock; audit: AuditService; tokens: AccessTokens; limiter: LoginLimiter }

/** Own sessions that are shown. */
const LISTED_SESSIONS = 100
/** Rows of one delete, so that no lock is held long. */
const PURGE_STRETCH_ROWS = 1000

const WRONG_CREDENTIALS = 'The user name or the password is wrong.'

/** How a renewal ended, decided inside its transaction; the refusals too must commit. */
type Renewal = { kind: 'renewed'; tokens: Tokens } | { kind: 'reused' } | { kind: 'invalid' }

export function createSessionsService({ db, log, clock, audit, tokens, limiter }: SessionsDeps): SessionsService {
  /** @throws login_blocked, journalled */
  async function admit(caller: Actor, clientIp: string): Promise<Admission> {
    try {
      return await limiter.admit(caller.name, clientIp)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'login_blocked')
        await audit.recordRefusal(caller, { action: 'auth.login', outcome: 'DENIED', details: { reason: 'blocked' } })
      throw error
    }
  }

  async function refuseLogin(caller: Actor): Promise<never> {
    await audit.recordRefusal(caller, { action: 'auth.login', outcome: 'FAILURE' })
    throw new DomainError('invalid_credentials', WRONG_CREDENTIALS)
  }

  /** The account when the password is its own. What else goes wrong is no guess, and is not counted as one. */
  async function verifyCredentials({ username, password }: { username: string; password: string }, admission: Admission) {
    try {
      const account = await findCredentials(db, username)
      const matches = await verifyPassword(account?.password_hash, password)
      return matches && account?.status === 'ACTIVE' ? account : undefined
    } catch (error) {
      await admission.success()
      throw error
    }
  }

  async function give(session: { id: string; userId: string; expiresAt: Date }, refreshToken: string): Promise<Tokens> {
    return {
      access_token: await tokens.issue({ userId: session.userId, sessionId: session.id }, ACCESS_TOKEN_SECONDS),
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      refresh_expires_at: session.expiresAt,
    }
  }

  async function endSessionOfToken(tx: Tx, refreshToken: string, reason: 'logout' | 'replaced'): Promise<LockedSession | undefined> {
    const digest = tryDigestRefreshToken(refreshToken)
    const id = digest === undefined ? undefined : await findSessionOfToken(tx.db, digest)
    const session = id === undefined ? undefined : await lockSession(tx.db, id)
    if (session === undefined) return undefined
    const ended = await revokeSessions(tx.db, { userId: session.user_id, only: session.id }, { reason, at: clock() })
    return ended > 0 ? session : undefined
  }

  async function renew(tx: Tx, digest: Buffer, origin: Origin): Promise<Renewal> {
    const sessionId = await findSessionOfToken(tx.db, digest)
    const session = sessionId === undefined ? undefined : await lockSession(tx.db, sessionId)
    // Read only now: whoever held the lock before has used it.
    const token = session === undefined ? undefined : await findRefreshToken(tx.db, digest)
    const user = session === undefined ? undefined : await findUser(tx.db, session.user_id)
    if (session === undefined || token === undefined || user === undefined) {
      await audit.record(tx, { name: 'unknown', role: 'VIEWER', ...placeOf(origin) }, refused('unknown_token', 'FAILURE'))
      return { kind: 'invalid' }
    }
    const at = clock()
    const actor: Actor = { id: user.id, name: user.username, role: user.role, ...placeOf(origin) }
    if (token.used_at !== null) {
      await revokeSessions(tx.db, { userId: user.id, only: session.id }, { reason: 'reuse_detected', at })
      await audit.record(tx, actor, refused('reuse_detected', 'DENIED', session.id))
      return { kind: 'reused' }
    }
    const fault = renewalFault({ session, token, user, at })
    if (fault !== undefined) {
      await audit.record(tx, actor, refused(fault, 'DENIED', session.id))
      return { kind: 'invalid' }
    }
    const expiresAt = endOfSession(session.created_at, at)
    const next = newRefreshToken()
    await markTokenUsed(tx.db, digest, at)
    await renewSession(tx.db, session.id, { at, expiresAt })
    await insertRefreshToken(tx.db, { digest: next.digest, sessionId: session.id, at, expiresAt })
    await audit.record(tx, actor, { action: 'auth.refresh', target: { type: 'session', id: session.id } })
    return { kind: 'renewed', tokens: await give({ id: session.id, userId: user.id, expiresAt }, next.token) }
  }

  async function journalLogout(tx: Tx, { userId, sessionId }: TokenHolder, origin: Origin): Promise<void> {
    const user = await findUser(tx.db, userId)
    if (user === undefined) return
    const actor: Actor = { id: user.id, name: user.username, role: user.role, ...placeOf(origin) }
    await audit.record(tx, actor, { action: 'auth.logout', target: { type: 'session', id: sessionId } })
  }

  return {
    async login(credentials, origin, replaces) {
      const caller: Actor = { name: credentials.username.slice(0, 64), role: 'VIEWER', ...placeOf(origin) }
      const admission = await admit(caller, origin.clientIp)
      const verified = await verifyCredentials(credentials, admission)
      if (verified === undefined) return await refuseLogin(caller)
      const at = clock()
      const session = { id: newId(), userId: verified.id, at, expiresAt: endOfSession(at, at) }
      const refresh = newRefreshToken()
      const opened = await transact(db, log, async (tx) => {
        // The password may have been changed, or the account disabled, while it was verified.
        const place = { clientIp: origin.clientIp, userAgent: toUserAgent(origin.userAgent) }
        if (!(await openSession(tx.db, verified, { ...session, digest: refresh.digest, ...place }))) return false
        const actor: Actor = { id: verified.id, name: verified.username, role: verified.role, ...placeOf(origin) }
        await audit.record(tx, actor, { action: 'auth.login', target: { type: 'session', id: session.id } })
        return true
      })
      if (!opened) return await refuseLogin(caller)
      await admission.success()
      if (replaces !== undefined) await transact(db, log, async (tx) => void (await endSessionOfToken(tx, replaces, 'replaced')))
      return await give(session, refresh.token)
    },

    async refresh(refreshToken, origin) {
      const digest = tryDigestRefreshToken(refreshToken)
      if (digest === undefined) {
        await audit.recordRefusal({ name: 'unknown', role: 'VIEWER', ...placeOf(origin) }, refused('malformed_token', 'FAILURE'))
        throw refreshInvalid()
      }
      const renewal = await transact(db, log, async (tx) => await renew(tx, digest, origin))
      if (renewal.kind === 'renewed') return renewal.tokens
      if (renewal.kind === 'invalid') throw refreshInvalid()
      log.warn('session.reuse_detected', { client: origin.clientIp, request_id: origin.requestId })
      throw new DomainError(
        'refresh_reused',
        'This refresh token was used before, so somebody else may hold a copy. The session is ended. Log in again.',
      )
    },

    async logout({ refreshToken, accessToken }, origin) {
      const holder = accessToken === undefined ? undefined : await tokens.verify(accessToken).catch(() => undefined)
      await transact(db, log, async (tx) => {
        const byRefresh = refreshToken === undefined ? undefined : await endSessionOfToken(tx, refreshToken, 'logout')
        if (byRefresh !== undefined) await journalLogout(tx, { userId: byRefresh.user_id, sessionId: byRefresh.id }, origin)
        if (holder === undefined) return
        const ended = await revokeSessions(tx.db, { userId: holder.userId, only: holder.sessionId }, { reason: 'logout', at: clock() })
        if (ended > 0) await journalLogout(tx, holder, origin)
      })
    },

    async authenticate(accessToken) {
      const { userId, sessionId, expiresAt } = await tokens.verify(accessToken)
      const found = await findCaller(db, { userId, sessionId })
      if (found === undefined) throw new DomainError('token_invalid', 'The access token is not valid. Log in again.')
      const { session_revoked_at, session_expires_at, ...user } = found
      if (user.status !== 'ACTIVE') throw new DomainError('account_disabled', 'This account is disabled. Ask an administrator.')
      if (session_revoked_at !== null || session_expires_at <= clock())
        throw new DomainError('token_invalid', 'This session has ended. Log in again.')
      return { ...user, session_id: sessionId, token_expires_at: expiresAt }
    },

    async listOwn(actor) {
      const sessions = await listOpenSessions(db, actor.id ?? '', { at: clock(), limit: LISTED_SESSIONS })
      return sessions.map((session) => ({ ...session, current: session.id === actor.sessionId }))
    },

    async endOwn(actor, sessionId) {
      await transact(db, log, async (tx) => {
        const ended = await revokeSessions(tx.db, { userId: actor.id ?? '', only: sessionId }, { reason: 'ended_by_user', at: clock() })
        if (ended === 0) throw new DomainError('not_found', 'You have no open session with this id.')
        await audit.record(tx, actor, {
          action: 'user.sessions_revoked',
          target: { type: 'session', id: sessionId },
          details: { revoked: 1 },
        })
      })
    },

    async purgeEnded(signal) {
      let deleted = 0
      let stretch: number
      do {
        stretch = await deleteEndedSessions(db, new Date(clock().getTime() - SESSION_RETENTION_MS), PURGE_STRETCH_ROWS)
        deleted += stretch
      } while (stretch > 0 && !signal.aborted)
      return deleted
    },
  }
}

type RenewalState = { session: LockedSession; token: { expires_at: Date }; user: User; at: Date }

/** Why a token that was not used yet opens nothing all the same. */
function renewalFault({ session, token, user, at }: RenewalState): string | undefined {
  if (session.revoked_at !== null) return 'session_revoked'
  if (token.expires_at <= at) return 'token_expired'
  return user.status === 'ACTIVE' ? undefined : 'account_disabled'
}

/** A week after its last use, and never later than its longest life. */
function endOfSession(createdAt: Date, at: Date): Date {
  return new Date(Math.min(at.getTime() + REFRESH_TOKEN_MS, createdAt.getTime() + SESSION_MAX_MS))
}

function placeOf({ clientIp, requestId }: Origin): { clientIp: string; requestId: string } {
  return { clientIp, requestId }
}

function toUserAgent(given: string | undefined): string | null {
  return given === undefined
    ? null
    : stripInvisible(given)
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, USER_AGENT_CHARACTERS)
}

function refused(reason: string, outcome: 'FAILURE' | 'DENIED', sessionId?: string): AuditEntry {
  return {
    action: 'auth.refresh',
    outcome,
    details: { reason },
    ...(sessionId === undefined ? {} : { target: { type: 'session', id: sessionId } }),
  }
}

function refreshInvalid(): DomainError {
  return new DomainError('refresh_invalid', 'The refresh token is not valid any more. Log in again.')
}
