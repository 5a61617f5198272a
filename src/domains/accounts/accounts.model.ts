import type { Role } from '#kernel/actor.ts'

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

/** Access token lifetime, seconds. Source: spec, "Limits". */
export const ACCESS_TOKEN_SECONDS = 900

/** Password length, characters. Source: spec, "Password policy"; the upper bound is docs/decisions/0008. */
export const PASSWORD_MIN_LENGTH = 12
export const PASSWORD_MAX_LENGTH = 1024
