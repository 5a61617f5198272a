import type { Role } from '#kernel/actor.ts'
import { MS_PER_DAY } from '#kernel/clock.ts'

export const USER_STATUSES = ['ACTIVE', 'DISABLED'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** A person who may log in. The password hash never leaves the store. */
export type User = {
  id: string
  username: string
  email: string | null
  role: Role
  status: UserStatus
  version: number
  created_at: Date
  last_login_at: Date | null
}

/** Why a session ended before its time. */
export type SessionEnd =
  | 'logout'
  /** The same browser has logged in anew. */
  | 'replaced'
  | 'ended_by_user'
  | 'revoked'
  | 'reuse_detected'
  | 'password_reset'
  | 'password_changed'
  | 'account_disabled'

/** A login that lasts: one browser or program, from its login to its logout. */
export type Session = {
  id: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
  client_ip: string | null
  user_agent: string | null
}

/** Access token lifetime, seconds. Source: spec, "Limits". */
export const ACCESS_TOKEN_SECONDS = 900
/** Refresh token lifetime. Source: spec, "Limits". */
export const REFRESH_TOKEN_MS = 7 * MS_PER_DAY
/** A session ends after this however often it is renewed. Assumption: OWASP ASVS 5.0, 10.4.8 asks for an absolute end. */
export const SESSION_MAX_MS = 30 * MS_PER_DAY
/** Sessions that ended longer ago are deleted. Source: spec, "Limits". */
export const SESSION_RETENTION_MS = 30 * MS_PER_DAY
/** Characters of a browser's name that are kept. */
export const USER_AGENT_CHARACTERS = 200

/** Password length, characters. Source: spec, "Password policy"; the upper bound is docs/decisions/0008. */
export const PASSWORD_MIN_LENGTH = 12
export const PASSWORD_MAX_LENGTH = 1024

/** Accounts of one page. Assumption: an organisation has tens of them. */
export const USERS_PAGE_ROWS = 50
export const USERS_PAGE_MAX = 200
