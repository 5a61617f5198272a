import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

type AlertPage = operations['listAlerts']['responses'][200]['content']['application/json']
export type Alert = AlertPage['items'][number]
export type AlertQuery = Omit<NonNullable<operations['listAlerts']['parameters']['query']>, 'cursor'>
export type AlertQueue = { items: readonly Alert[]; total: number; totalExact: boolean }
export type Acknowledgement = operations['acknowledgeAlerts']['responses'][200]['content']['application/json']

/** Alerts that are read at once, and that one request acknowledges. Source: src/domains/alerts/alerts.model.ts, four pages. */
export const QUEUE_MAX_ALERTS = 200

/** The first alerts of a queue as one list. */
export function alertQueueQuery(query: AlertQuery) {
  return queryOptions({
    queryKey: ['alerts', 'queue', query],
    queryFn: async ({ signal }): Promise<AlertQueue> => {
      const items: Alert[] = []
      let page: AlertPage
      let cursor: string | undefined
      do {
        page = await unwrap(
          api.GET('/api/v1/alerts', { params: { query: { ...query, ...(cursor === undefined ? {} : { cursor }) } }, signal }),
        )
        items.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined && items.length < QUEUE_MAX_ALERTS)
      return { items, total: page.total, totalExact: page.total_exact }
    },
  })
}

/**
 * Acknowledges alerts; those that somebody else was quicker with stay as they are. The request outlives the page.
 * @throws ApiProblem
 */
export async function acknowledgeAlerts(ids: readonly string[]): Promise<Acknowledgement> {
  return await unwrap(api.POST('/api/v1/alerts/ack', { body: { ids: [...ids] }, keepalive: true }))
}
