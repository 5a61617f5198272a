import * as z from 'zod/mini'
import { ROLES, type User } from '../../api/users.ts'
import { choiceParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

/** Longest filter text, characters. Source: the longest user name. */
const TEXT_MAX = 64
export const STATUSES = ['ACTIVE', 'DISABLED'] as const satisfies readonly User['status'][]

const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

const SHAPE = {
  q: textParam(TEXT_MAX),
  role: choiceParam(ROLES),
  status: choiceParam(STATUSES),
  open: uuidParam,
  dialog: choiceParam(['create', 'role', 'disable', 'reset', 'revoke']),
}

/** Filters, open account and open dialog of the Users tab; all dialogs but `create` act on the open account. */
export type UsersSearch = SearchOf<typeof SHAPE>
export const parseUsersSearch: (raw: Record<string, unknown>) => UsersSearch = searchSchema(SHAPE)

export const NO_USER_FILTERS = { q: undefined, role: undefined, status: undefined } satisfies UsersSearch

/** True while the list shows less than everything. */
export function isFiltered({ q, role, status }: UsersSearch): boolean {
  return [q, role, status].some((filter) => filter !== undefined)
}

/** The accounts that the filters leave. */
export function filterUsers(users: readonly User[], { q, role, status }: UsersSearch): User[] {
  const words = q?.toLowerCase() ?? ''
  return users.filter(
    (user) =>
      (role === undefined || user.role === role) &&
      (status === undefined || user.status === status) &&
      `${user.username}\n${user.email ?? ''}`.toLowerCase().includes(words),
  )
}

/** True when the account is the only one that can administer, so that it can neither be disabled nor get another role. */
export function isLastAdmin(user: User, users: readonly User[]): boolean {
  const isActiveAdmin = ({ role, status }: User) => role === 'ADMIN' && status === 'ACTIVE'
  return isActiveAdmin(user) && users.filter(isActiveAdmin).length === 1
}
