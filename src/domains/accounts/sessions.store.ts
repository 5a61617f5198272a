import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Session, SessionEnd, User } from './accounts.model.ts'
import { USER_COLUMNS } from './accounts.store.ts'

const SESSION_COLUMNS = ['id', 'created_at', 'last_used_at', 'expires_at', 'client_ip', 'user_agent'] as const

export type NewSession = {
  id: string
  at: Date
  expiresAt: Date
  /** Of its first refresh token. */
  digest: Buffer
  clientIp: string | null
  userAgent: string | null
}

/**
 * Notes a login and opens its session with the first refresh token, in one statement, when the account is still active with the hash that
 * was verified. The account is held until the transaction ends.
 * @returns false when it is not, and nothing was opened
 */
export async function openSession(
  db: Db,
  account: { id: string; password_hash: string },
  { id, at, expiresAt, digest, clientIp, userAgent }: NewSession,
): Promise<boolean> {
  const { rows } = await sql`
    with holder as (
      update users set last_login_at = ${at}
      where id = ${account.id} and password_hash = ${account.password_hash} and status = 'ACTIVE'
      returning id
    ), opened as (
      insert into sessions (id, user_id, created_at, last_used_at, expires_at, client_ip, user_agent)
      select ${id}, id, ${at}, ${at}, ${expiresAt}, ${clientIp}, ${userAgent} from holder
      returning id
    )
    insert into refresh_tokens (digest, session_id, issued_at, expires_at)
    select ${digest}, id, ${at}, ${expiresAt} from opened
    returning session_id`.execute(db)
  return rows.length > 0
}

export async function insertRefreshToken(db: Db, token: { digest: Buffer; sessionId: string; at: Date; expiresAt: Date }): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({ digest: token.digest, session_id: token.sessionId, issued_at: token.at, expires_at: token.expiresAt })
    .execute()
}

/** The session that a token, used or not, belongs to. */
export async function findSessionOfToken(db: Db, digest: Buffer): Promise<string | undefined> {
  const found = await db.selectFrom('refresh_tokens').select('session_id').where('digest', '=', digest).executeTakeFirst()
  return found?.session_id
}

export type LockedSession = { id: string; user_id: string; created_at: Date; expires_at: Date; revoked_at: Date | null }

/** The session, held until the transaction ends: of two renewals at once the second sees what the first did. */
export async function lockSession(db: Db, id: string): Promise<LockedSession | undefined> {
  return await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'created_at', 'expires_at', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findRefreshToken(db: Db, digest: Buffer): Promise<{ used_at: Date | null; expires_at: Date } | undefined> {
  return await db.selectFrom('refresh_tokens').select(['used_at', 'expires_at']).where('digest', '=', digest).executeTakeFirst()
}

export async function markTokenUsed(db: Db, digest: Buffer, at: Date): Promise<void> {
  await db.updateTable('refresh_tokens').set({ used_at: at }).where('digest', '=', digest).execute()
}

export async function renewSession(db: Db, id: string, { at, expiresAt }: { at: Date; expiresAt: Date }): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: at, expires_at: expiresAt }).where('id', '=', id).execute()
}

/** Which of an account's sessions to end; without `only` and `except` all that are open. */
export type SessionChoice = { userId: string; only?: string; except?: string }

/** @returns how many were open until now */
export async function revokeSessions(
  db: Db,
  { userId, only, except }: SessionChoice,
  { reason, at }: { reason: SessionEnd; at: Date },
): Promise<number> {
  let update = db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_reason: reason })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
  if (only !== undefined) update = update.where('id', '=', only)
  if (except !== undefined) update = update.where('id', '<>', except)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The account with the state of one of its sessions, in one read: what every request asks. */
export async function findCaller(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<(User & { session_expires_at: Date; session_revoked_at: Date | null }) | undefined> {
  return await db
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select(USER_COLUMNS.map((column) => `users.${column}` as const))
    .select(['sessions.expires_at as session_expires_at', 'sessions.revoked_at as session_revoked_at'])
    .where('users.id', '=', userId)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
}

/** Sessions that are open, the last used first. */
export async function listOpenSessions(db: Db, userId: string, { at, limit }: { at: Date; limit: number }): Promise<Session[]> {
  return await db
    .selectFrom('sessions')
    .select(SESSION_COLUMNS)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('last_used_at', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes a stretch of sessions that ended before the moment, with their tokens. @returns how many */
export async function deleteEndedSessions(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where id in (
      select id from sessions where coalesce(revoked_at, expires_at) < ${endedBefore} limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
