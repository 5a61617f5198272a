import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

export type Health = { status: string; version: string; environment: string; database: 'connected' | 'unreachable' }

/** Version, environment and database state; undefined until known. `unreachable` when the service itself gives no answer. */
export function useHealth(): { health: Health | undefined; unreachable: boolean } {
  const query = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Health> => await unwrap(api.GET('/health', { signal })),
    refetchInterval: 60_000,
    retry: 1,
  })
  return { health: query.data, unreachable: query.isError }
}
