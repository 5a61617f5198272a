import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type OwnSession = operations['listOwnSessions']['responses'][200]['content']['application/json']['items'][number]

/** The sessions of the own account. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: async ({ signal }): Promise<OwnSession[]> => (await unwrap(api.GET('/api/v1/users/me/sessions', { signal }))).items,
})

/** Ends sessions of the own account, one after the other; the list is read again also when one of them is refused. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await unwrap(api.DELETE('/api/v1/users/me/sessions/{id}', { params: { path: { id } } }))
    },
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
}

/** Changes the own password; the other sessions of the account end. @throws ApiProblem 422 with `current_password` or `new_password` */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: { current_password: string; new_password: string }): Promise<void> => {
      await unwrap(api.POST('/api/v1/users/me/password', { body }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
}
