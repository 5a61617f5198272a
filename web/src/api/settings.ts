import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type Setting = operations['listSettings']['responses'][200]['content']['application/json']['items'][number]

/** The settings in effect; of secrets only whether they are set. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<Setting[]> => (await unwrap(api.GET('/api/v1/settings', { signal }))).items,
  // They are read at start-up and stay as they are.
  staleTime: 300_000,
})
