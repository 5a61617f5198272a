import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type User = operations['listUsers']['responses'][200]['content']['application/json']['items'][number]
export type Role = User['role']
export type UserCreation = operations['createUser']['requestBody']['content']['application/json']
export type UserChange = operations['changeUser']['requestBody']['content']['application/json']

/** The strongest first. */
export const ROLES = ['ADMIN', 'ANALYST', 'VIEWER'] as const satisfies readonly Role[]

/** Accounts in one answer, and in the whole list. Assumption: a team is smaller; the guard of the last administrator needs all of them. */
const PAGE_MAX = 200
const USERS_MAX = 2000

async function readAllUsers(signal: AbortSignal): Promise<User[]> {
  const users: User[] = []
  let cursor: string | undefined
  do {
    const query = { limit: PAGE_MAX, ...(cursor === undefined ? {} : { cursor }) }
    const { items, next } = await unwrap(api.GET('/api/v1/users', { params: { query }, signal }))
    users.push(...items)
    cursor = next ?? undefined
  } while (cursor !== undefined && users.length < USERS_MAX)
  return users
}

/** Every account, by name. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }): Promise<User[]> => await readAllUsers(signal),
})

function useReloadUsers(): () => Promise<void> {
  const client = useQueryClient()
  // A changed account may be one's own.
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['users'] }), client.invalidateQueries({ queryKey: ['me'] })])
  }
}

export function useCreateUser() {
  const reload = useReloadUsers()
  return useMutation({
    mutationFn: async (body: UserCreation) => await unwrap(api.POST('/api/v1/users', { body })),
    onSuccess: reload,
  })
}

/** Changes role or status; the body names the version that was seen. @throws ApiProblem 409 `conflict`, `last_admin` */
export function useChangeUser() {
  const reload = useReloadUsers()
  return useMutation({
    mutationFn: async ({ id, change }: { id: string; change: UserChange }) =>
      await unwrap(api.PATCH('/api/v1/users/{id}', { params: { path: { id } }, body: change })),
    // Also after a refusal: its usual reason is that this list is out of date.
    onSettled: reload,
  })
}

/** A new generated password, which the answer shows once; all sessions of the account end. */
export function useResetPassword() {
  const reload = useReloadUsers()
  return useMutation({
    mutationFn: async (id: string) => await unwrap(api.POST('/api/v1/users/{id}/password', { params: { path: { id } }, body: {} })),
    onSuccess: reload,
  })
}

export function useRevokeSessions() {
  const reload = useReloadUsers()
  return useMutation({
    mutationFn: async (id: string) => await unwrap(api.POST('/api/v1/users/{id}/revoke-sessions', { params: { path: { id } } })),
    onSuccess: reload,
  })
}
