import { useQuery } from '@tanstack/react-query'
import { publicApi } from './public-api.ts'
import { unwrap } from './unwrap.ts'

export type Health = { status: string; version: string; environment: string; database: 'connected' | 'unreachable' }

/** How often the state is asked, ms: while all is well, and while it is not, so that a banner goes away by itself. */
const WELL_POLL_MS = 60_000
const ILL_POLL_MS = 5000

/** Version, environment and database state; undefined until known. `unreachable` when the service itself gives no answer. */
export function useHealth(): { health: Health | undefined; unreachable: boolean } {
  const query = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Health> => await unwrap(publicApi.GET('/health', { signal })),
    refetchInterval: ({ state }) => (state.status === 'error' || state.data?.database === 'unreachable' ? ILL_POLL_MS : WELL_POLL_MS),
    retry: 1,
  })
  return { health: query.data, unreachable: query.isError }
}
