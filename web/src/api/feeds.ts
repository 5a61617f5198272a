import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { liveState } from './live/live-state.ts'
import { toProblem } from './problem.ts'
import type { components, operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type Feed = components['schemas']['Feed']
export type Run = components['schemas']['Run']
export type Rejection = Run['rejections'][number]
export type FeedHealth = operations['getFeedHealth']['responses'][200]['content']['application/json']['items'][number]
export type FeedCreation = operations['createFeed']['requestBody']['content']['application/json']
export type FeedPatch = operations['updateFeed']['requestBody']['content']['application/json']
export type FeedProbe = operations['probeFeed']['requestBody']['content']['application/json']
export type ProbeResult = operations['probeFeed']['responses'][200]['content']['application/json']
export type DeletionCounts = operations['deleteFeed']['responses'][200]['content']['application/json']

/** A feed with its state over seven days; undefined for one that was added between the two answers. */
export type Source = Feed & { health: FeedHealth | undefined }

/** Interval limits, seconds, and where it starts. Source: src/domains/feeds/feeds.model.ts. */
export const FREQUENCY_MIN_SECONDS = 300
export const FREQUENCY_MAX_SECONDS = 604_800
export const FREQUENCY_DEFAULT_SECONDS = 3600
/** TLP levels, the most open first. Source: src/domains/feeds/feeds.model.ts. */
export const TLP_LEVELS = ['CLEAR', 'GREEN', 'AMBER', 'AMBER+STRICT', 'RED'] as const satisfies readonly Feed['tlp'][]
export const RELIABILITIES = ['A', 'B', 'C', 'D', 'E', 'F'] as const satisfies readonly Feed['reliability'][]

/** Formats of feeds that say only what is new, never all that they hold. Source: src/domains/feeds/collecting/delivery.ts. */
const CURSOR_FORMATS: readonly string[] = ['TAXII', 'PULSE'] satisfies readonly Feed['format'][]

/** Whether there is no list to count, because such a feed only says what is new. */
export function deliversNewsOnly({ format }: { format: string }): boolean {
  return CURSOR_FORMATS.includes(format)
}

/** Feeds in one answer, and runs in one answer. Source: src/domains/feeds/feeds.model.ts. */
const PAGE_MAX = 200
const RUNS_MAX = 100
/**
 * How often the health is read again, ms: while something is being collected, without live events, and with them, when only the beginning of a
 * collection and the changes of others remain to be seen. Assumption: as often as a reader would look.
 */
const COLLECTING_POLL_MS = 2000
const QUIET_POLL_MS = 10_000
const LIVE_POLL_MS = 30_000

async function readAllFeeds(signal: AbortSignal): Promise<Feed[]> {
  const feeds: Feed[] = []
  for (;;) {
    const query = { limit: PAGE_MAX, offset: feeds.length }
    const { items, total } = await unwrap(api.GET('/api/v1/feeds', { params: { query }, signal }))
    feeds.push(...items)
    if (items.length === 0 || feeds.length >= total) return feeds
  }
}

async function readSources(signal: AbortSignal): Promise<Source[]> {
  const [feeds, health] = await Promise.all([readAllFeeds(signal), unwrap(api.GET('/api/v1/feeds/health', { signal }))])
  const healthOf = new Map(health.items.map((item) => [item.feed_id, item]))
  return feeds.map((feed) => ({ ...feed, health: healthOf.get(feed.id) }))
}

/** Every feed with its health, by name; read again all the time, faster while `hurry` or a collection is under way. */
export function sourcesQuery({ hurry }: { hurry: boolean }) {
  return queryOptions({
    queryKey: ['feeds', 'sources'],
    queryFn: async ({ signal }): Promise<Source[]> => await readSources(signal),
    refetchInterval: ({ state }) => {
      if (hurry || state.data?.some(({ collecting }) => collecting) === true) return COLLECTING_POLL_MS
      return liveState().kind === 'live' ? LIVE_POLL_MS : QUIET_POLL_MS
    },
  })
}

/** Where the made-up publishers of `svc demo load` stand; no real one can be there. Source: src/entrypoints/demo/demo-lists.ts, RFC 2606. */
const DEMO_HOST = 'lists.example.org'

/** Whether the base was filled by `svc demo load`, as its sources tell. */
export const demoQuery = queryOptions({
  queryKey: ['feeds', 'demo'],
  queryFn: async ({ signal }): Promise<boolean> => (await readAllFeeds(signal)).some(isMadeUp),
  staleTime: Number.POSITIVE_INFINITY,
})

export function isMadeUp({ url }: Pick<Feed, 'url'>): boolean {
  return URL.parse(url)?.hostname === DEMO_HOST
}

/** One feed as it is now. @throws ApiProblem */
export async function readFeed(id: string): Promise<Feed> {
  return await unwrap(api.GET('/api/v1/feeds/{id}', { params: { path: { id } } }))
}

/** The newest runs of a feed; `stamp` changes when there is a new one, and the old ones stay on screen meanwhile. */
export function runsQuery(id: string, stamp: string) {
  return queryOptions({
    queryKey: ['feeds', 'runs', id, stamp],
    queryFn: async ({ signal }): Promise<Run[]> => {
      const params = { path: { id }, query: { limit: RUNS_MAX } }
      const { items } = await unwrap(api.GET('/api/v1/feeds/{id}/runs', { params, signal }))
      return items
    },
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  })
}

/** Fetches and reads a feed without storing anything. @throws ApiProblem */
export async function probeFeed(body: FeedProbe, signal?: AbortSignal): Promise<ProbeResult> {
  return await unwrap(api.POST('/api/v1/feeds/probe', { body, ...(signal === undefined ? {} : { signal }) }))
}

/** Reads the feeds, and all that is named by them, again. */
export function useReloadFeeds(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['feeds'] })
}

export function useCreateFeed() {
  const reload = useReloadFeeds()
  return useMutation({
    mutationFn: async (body: FeedCreation): Promise<Feed> => await unwrap(api.POST('/api/v1/feeds', { body })),
    onSuccess: reload,
  })
}

/** Changes a feed; the body names the version that was seen. @throws ApiProblem 409 `conflict` when there is a newer one */
export function useChangeFeed() {
  const reload = useReloadFeeds()
  return useMutation({
    mutationFn: async ({ id, patch }: { id: string; patch: FeedPatch }): Promise<Feed> =>
      await unwrap(api.PATCH('/api/v1/feeds/{id}', { params: { path: { id } }, body: patch })),
    // Also after a refusal: its usual reason is that this list is out of date.
    onSettled: reload,
  })
}

/** Begins a collection; one that is already under way is as good. @throws ApiProblem */
export function useCollectFeed() {
  const reload = useReloadFeeds()
  return useMutation({
    mutationFn: async ({ id, acceptShrink = false }: { id: string; acceptShrink?: boolean }): Promise<void> => {
      const body = acceptShrink ? { accept_shrink: true } : {}
      try {
        await unwrap(api.POST('/api/v1/feeds/{id}/fetch', { params: { path: { id } }, body }))
      } catch (error) {
        if (toProblem(error).code !== 'already_collecting') throw error
      }
    },
    onSuccess: reload,
  })
}

/** What a deletion would remove; nothing is removed. */
export function deletionCountsQuery(id: string) {
  return queryOptions({
    queryKey: ['feeds', 'deletion', id],
    queryFn: async (): Promise<DeletionCounts> =>
      await unwrap(api.DELETE('/api/v1/feeds/{id}', { params: { path: { id }, query: { dry_run: true } } })),
    // A count from the last time could be wrong by now, and this one is read before something is lost.
    staleTime: 0,
    gcTime: 0,
  })
}

export function useDeleteFeed() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, purge }: { id: string; purge: boolean }): Promise<DeletionCounts> => {
      const query = purge ? ({ purge: 'orphans' } as const) : {}
      return await unwrap(api.DELETE('/api/v1/feeds/{id}', { params: { path: { id }, query } }))
    },
    // Only the lists: the runs and counts that are still on screen belong to what is gone.
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['feeds', 'sources'] }),
        client.invalidateQueries({ queryKey: ['feeds', 'names'] }),
        client.invalidateQueries({ queryKey: ['indicators'] }),
      ]),
  })
}
