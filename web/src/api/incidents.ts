import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { ApiProblem } from './problem.ts'
import type { components, operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type Incident = components['schemas']['Incident']
export type IncidentDetail = operations['getIncident']['responses'][200]['content']['application/json']
export type TimelineEntry = components['schemas']['TimelineEntry']
export type RelatedIncident = components['schemas']['RelatedIncident']
export type IncidentStep = Incident['status']
export type IncidentSeverity = Incident['severity']
export type SocLevel = Incident['level']
export type Resolution = NonNullable<Incident['resolution']>
export type IncidentPage = operations['listIncidents']['responses'][200]['content']['application/json']
export type IncidentQuery = NonNullable<operations['listIncidents']['parameters']['query']>
export type NewIncident = operations['openIncident']['requestBody']['content']['application/json']
export type Transition = operations['moveIncident']['requestBody']['content']['application/json']
/** What an incident is to be about. */
export type Subjects = { cve_ids?: string[]; indicator_ids?: string[] }

/** Alerts, IOCs or CVEs that one request names. Source: src/domains/incidents/incidents.model.ts. */
export const SUBJECTS_MAX = 200
/** Rows of a timeline that a screen reads. Assumption: whoever wants more reads the report. */
const TIMELINE_MAX_ROWS = 2000

/** One page of the list, newest first. The rows before stay on screen while the next ones are read. */
export function incidentPageQuery(query: IncidentQuery) {
  return queryOptions({
    queryKey: ['incidents', 'list', query],
    queryFn: async ({ signal }): Promise<IncidentPage> => await unwrap(api.GET('/api/v1/incidents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function incidentQuery(id: string) {
  return queryOptions({
    queryKey: ['incidents', 'one', id],
    queryFn: async ({ signal }): Promise<IncidentDetail> =>
      await unwrap(api.GET('/api/v1/incidents/{id}', { params: { path: { id } }, signal })),
  })
}

/** What happened to an incident, oldest first. */
export function timelineQuery(id: string) {
  return queryOptions({
    queryKey: ['incidents', 'timeline', id],
    queryFn: async ({ signal }): Promise<TimelineEntry[]> => {
      const entries: TimelineEntry[] = []
      let cursor: string | undefined
      do {
        const query = cursor === undefined ? {} : { cursor }
        const page = await unwrap(api.GET('/api/v1/incidents/{id}/timeline', { params: { path: { id }, query }, signal }))
        entries.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined && entries.length < TIMELINE_MAX_ROWS)
      return entries
    },
  })
}

/** Other incidents that share a CVE or an IOC with this one. */
export function relatedQuery(id: string) {
  return queryOptions({
    queryKey: ['incidents', 'related', id],
    queryFn: async ({ signal }): Promise<RelatedIncident[]> =>
      (await unwrap(api.GET('/api/v1/incidents/{id}/related', { params: { path: { id } }, signal }))).items,
  })
}

/** Incidents that are about any of these. */
export function relatedToQuery(subjects: Subjects) {
  return queryOptions({
    queryKey: ['incidents', 'related-to', subjects],
    queryFn: async ({ signal }): Promise<RelatedIncident[]> =>
      (await unwrap(api.POST('/api/v1/incidents/related', { body: subjects, signal }))).items,
  })
}

/** Who may be given an incident. */
export const assigneesQuery = queryOptions({
  queryKey: ['incidents', 'assignees'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/v1/incidents/assignees', { signal }))).items,
  staleTime: 60_000,
})

function useReload(): () => Promise<void> {
  const client = useQueryClient()
  return async () => await client.invalidateQueries({ queryKey: ['incidents'] })
}

export function useOpenIncident() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: NewIncident): Promise<Incident> => await unwrap(api.POST('/api/v1/incidents', { body })),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ['alerts'] })
      void client.invalidateQueries({ queryKey: ['cves', 'one'] })
      await client.invalidateQueries({ queryKey: ['incidents'] })
    },
  })
}

/** Everything that can be done to one incident; the screen is read again after each, also after a refusal, whose usual reason is that it is old. */
export type IncidentAct =
  | { do: 'move'; body: Transition }
  | { do: 'edit'; body: { version: number; title?: string; severity?: IncidentSeverity } }
  | { do: 'assign'; body: { version: number; assignee_id: string | null } }
  | { do: 'escalate'; body: { version: number; reason: string; assignee_id?: string } }
  | { do: 'comment'; text: string }
  | { do: 'declare'; text: string }
  | { do: 'link'; body: Subjects }
  | { do: 'unlinkCve'; cveId: string }
  | { do: 'unlinkIndicator'; indicatorId: string }

export function useIncidentAct() {
  const reload = useReload()
  return useMutation({
    mutationFn: async ({ id, act }: { id: string; act: IncidentAct }): Promise<Incident> => await send(id, act),
    onSettled: reload,
  })
}

async function send(id: string, act: IncidentAct): Promise<Incident> {
  const path = { id }
  switch (act.do) {
    case 'move':
      return await unwrap(api.POST('/api/v1/incidents/{id}/transition', { params: { path }, body: act.body }))
    case 'edit':
      return await unwrap(api.PATCH('/api/v1/incidents/{id}', { params: { path }, body: act.body }))
    case 'assign':
      return await unwrap(api.POST('/api/v1/incidents/{id}/assign', { params: { path }, body: act.body }))
    case 'escalate':
      return await unwrap(api.POST('/api/v1/incidents/{id}/escalate', { params: { path }, body: act.body }))
    case 'comment':
      return await unwrap(api.POST('/api/v1/incidents/{id}/comments', { params: { path }, body: { comment: act.text } }))
    case 'declare':
      return await unwrap(api.POST('/api/v1/incidents/{id}/actions', { params: { path }, body: { action: act.text } }))
    case 'link':
      return await unwrap(api.POST('/api/v1/incidents/{id}/links', { params: { path }, body: act.body }))
    case 'unlinkCve':
      return await unwrap(api.DELETE('/api/v1/incidents/{id}/cves/{cve_id}', { params: { path: { id, cve_id: act.cveId } } }))
    case 'unlinkIndicator':
      return await unwrap(
        api.DELETE('/api/v1/incidents/{id}/indicators/{indicator_id}', { params: { path: { id, indicator_id: act.indicatorId } } }),
      )
  }
}

/** Assigns several; those that are closed stay as they are. */
export function useAssignIncidents() {
  const reload = useReload()
  return useMutation({
    mutationFn: async (body: { ids: string[]; assignee_id: string | null }) => await unwrap(api.POST('/api/v1/incidents/assign', { body })),
    onSettled: reload,
  })
}

/** One incident as a document. @throws ApiProblem */
export async function readReport(id: string): Promise<string> {
  return await unwrap(api.GET('/api/v1/incidents/{id}/report', { params: { path: { id } }, parseAs: 'text' }))
}

/** What a refused save says of those who were quicker; undefined for another problem. */
export function conflictOf(problem: ApiProblem): { version: number; changes: readonly TimelineEntry[] } | undefined {
  const { incident, changes } = problem.members
  if (problem.code !== 'conflict' || typeof incident !== 'object' || incident === null || !Array.isArray(changes)) return undefined
  const version = 'version' in incident ? incident.version : undefined
  // The service's own answer, by its code and its members.
  return typeof version === 'number' ? { version, changes: changes as TimelineEntry[] } : undefined
}
