import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { ANALYSTS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import type { IncidentLinksService } from './incident-links.service.ts'
import type { IncidentReading } from './incident-reading.service.ts'
import {
  ActionSchema,
  AssigneesSchema,
  AssignManySchema,
  AssignSchema,
  BulkAssignmentSchema,
  CommentSchema,
  CveLinkParamsSchema,
  EscalateSchema,
  IncidentDetailSchema,
  IncidentPageSchema,
  IncidentPatchSchema,
  IncidentQuerySchema,
  IncidentSchema,
  IndicatorLinkParamsSchema,
  NewIncidentSchema,
  RelatedSchema,
  StaleVersionSchema,
  SubjectsSchema,
  TimelinePageSchema,
  TimelineQuerySchema,
  TransitionSchema,
} from './incidents.schemas.ts'
import type { IncidentsService } from './incidents.service.ts'

export type IncidentRouteDeps = { incidents: IncidentsService; incidentLinks: IncidentLinksService; incidentReading: IncidentReading }

const TAGS = ['incidents']
/** What a change of one incident answers. */
const CHANGED = { 200: IncidentSchema, ...problems(401, 403, 404, 422), 409: StaleVersionSchema }

export function incidentRoutes(deps: IncidentRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(readingRoutes(deps))
    await app.register(changeRoutes(deps))
    await app.register(linkRoutes(deps))
  }
}

function readingRoutes({ incidentReading: reading }: IncidentRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/incidents',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listIncidents',
          summary: 'Incidents, newest first, 50 a page',
          tags: TAGS,
          querystring: IncidentQuerySchema,
          response: { 200: IncidentPageSchema, ...problems(401, 422) },
        },
      },
      async (request) => await reading.page(request.query, actorOf(request).id),
    )

    app.get(
      '/incidents/assignees',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'listAssignees',
          summary: 'Who may be given an incident',
          tags: TAGS,
          response: { 200: AssigneesSchema, ...problems(401, 403) },
        },
      },
      async () => ({ items: await reading.assignees() }),
    )

    app.post(
      '/incidents/related',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'findRelatedIncidents',
          summary: 'Incidents that are about any of these CVEs and IOCs, open ones first; to look at before another one is opened',
          tags: TAGS,
          body: SubjectsSchema,
          response: { 200: RelatedSchema, ...problems(401, 422) },
        },
      },
      async ({ body }) => ({ items: await reading.relatedTo(body) }),
    )

    app.get(
      '/incidents/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getIncident',
          summary: 'One incident with what it is about',
          tags: TAGS,
          params: IdParamsSchema,
          response: { 200: IncidentDetailSchema, ...problems(401, 404, 422) },
        },
      },
      async ({ params }) => await reading.get(params.id),
    )

    app.get(
      '/incidents/:id/timeline',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listIncidentTimeline',
          summary: 'What happened to an incident, oldest first, 200 a page',
          tags: TAGS,
          params: IdParamsSchema,
          querystring: TimelineQuerySchema,
          response: { 200: TimelinePageSchema, ...problems(401, 404, 422) },
        },
      },
      async ({ params, query }) => await reading.timeline(params.id, Number(query.cursor ?? 0)),
    )

    app.get(
      '/incidents/:id/related',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listRelatedIncidents',
          summary: 'Other incidents that share a CVE or an IOC with this one',
          tags: TAGS,
          params: IdParamsSchema,
          response: { 200: RelatedSchema, ...problems(401, 404, 422) },
        },
      },
      async ({ params }) => ({ items: await reading.related(params.id) }),
    )

    app.get(
      '/incidents/:id/report',
      {
        config: { access: EVERYONE, isExport: true },
        schema: {
          operationId: 'getIncidentReport',
          summary: 'One incident with its whole timeline as a document for a reader',
          tags: TAGS,
          params: IdParamsSchema,
          produces: ['text/markdown'],
          response: {
            200: { description: 'Markdown', content: { 'text/markdown': { schema: Type.String() } } },
            ...problems(401, 404, 422, 429),
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const text = await reading.report(actorOf(request), id)
        return await reply
          .header('content-type', 'text/markdown; charset=utf-8')
          .header('content-disposition', `attachment; filename="incident-${id}.md"`)
          .send(text)
      },
    )
  }
}

function changeRoutes({ incidents }: IncidentRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/incidents',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'openIncident',
          summary: 'Open an incident; what it is to be about is looked up before anything is written',
          tags: TAGS,
          body: NewIncidentSchema,
          response: { 201: IncidentSchema, ...problems(401, 403, 422) },
        },
      },
      async (request, reply) => await reply.status(201).send(await incidents.open(actorOf(request), request.body)),
    )

    app.post(
      '/incidents/assign',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'assignIncidents',
          summary: 'Assign several incidents; those that are closed stay as they are',
          tags: TAGS,
          body: AssignManySchema,
          response: { 200: BulkAssignmentSchema, ...problems(401, 403, 422) },
        },
      },
      async (request) => await incidents.assignAll(actorOf(request), request.body.ids, request.body.assignee_id),
    )

    app.patch(
      '/incidents/:id',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'updateIncident',
          summary: 'Change title or severity of an incident',
          tags: TAGS,
          params: IdParamsSchema,
          body: IncidentPatchSchema,
          response: CHANGED,
        },
      },
      async (request) => {
        const { version, ...input } = request.body
        return await incidents.edit(actorOf(request), { id: request.params.id, version }, input)
      },
    )

    app.post(
      '/incidents/:id/transition',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'moveIncident',
          summary: 'Move an incident to another step: forward, back with a comment, closed with summary and resolution, or open again',
          tags: TAGS,
          params: IdParamsSchema,
          body: TransitionSchema,
          response: CHANGED,
        },
      },
      async (request) => {
        const { version, ...input } = request.body
        return await incidents.move(actorOf(request), { id: request.params.id, version }, input)
      },
    )

    app.post(
      '/incidents/:id/assign',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'assignIncident',
          summary: 'Assign an incident to somebody, or to nobody',
          tags: TAGS,
          params: IdParamsSchema,
          body: AssignSchema,
          response: CHANGED,
        },
      },
      async (request) => {
        const { version, assignee_id } = request.body
        return await incidents.assign(actorOf(request), { id: request.params.id, version }, assignee_id)
      },
    )

    app.post(
      '/incidents/:id/escalate',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'escalateIncident',
          summary: 'Escalate an incident by one level; there is no way back',
          tags: TAGS,
          params: IdParamsSchema,
          body: EscalateSchema,
          response: CHANGED,
        },
      },
      async (request) => {
        const { version, ...input } = request.body
        return await incidents.escalate(actorOf(request), { id: request.params.id, version }, input)
      },
    )

    app.post(
      '/incidents/:id/comments',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'commentIncident',
          summary: 'Add a comment to the timeline',
          tags: TAGS,
          params: IdParamsSchema,
          body: CommentSchema,
          response: CHANGED,
        },
      },
      async (request) => await incidents.comment(actorOf(request), request.params.id, request.body.comment),
    )

    app.post(
      '/incidents/:id/actions',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'declareIncidentAction',
          summary: 'Declare what was done elsewhere; the service does nothing by it',
          tags: TAGS,
          params: IdParamsSchema,
          body: ActionSchema,
          response: CHANGED,
        },
      },
      async (request) => await incidents.declareAction(actorOf(request), request.params.id, request.body.action),
    )
  }
}

function linkRoutes({ incidentLinks: links }: IncidentRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/incidents/:id/links',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'linkToIncident',
          summary: 'Link CVEs and IOCs to an incident, all or none',
          tags: TAGS,
          params: IdParamsSchema,
          body: SubjectsSchema,
          response: CHANGED,
        },
      },
      async (request) => await links.link(actorOf(request), request.params.id, request.body),
    )

    app.put(
      '/incidents/:id/cves/:cve_id',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'linkIncidentCve',
          summary: 'Link a CVE to an incident',
          tags: TAGS,
          params: CveLinkParamsSchema,
          response: CHANGED,
        },
      },
      async (request) => await links.link(actorOf(request), request.params.id, { cve_ids: [request.params.cve_id] }),
    )

    app.delete(
      '/incidents/:id/cves/:cve_id',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'unlinkIncidentCve',
          summary: 'Take a CVE off an incident; the timeline keeps both',
          tags: TAGS,
          params: CveLinkParamsSchema,
          response: CHANGED,
        },
      },
      async (request) => await links.unlinkCve(actorOf(request), request.params.id, request.params.cve_id),
    )

    app.put(
      '/incidents/:id/indicators/:indicator_id',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'linkIncidentIndicator',
          summary: 'Link an IOC to an incident',
          tags: TAGS,
          params: IndicatorLinkParamsSchema,
          response: CHANGED,
        },
      },
      async (request) => await links.link(actorOf(request), request.params.id, { indicator_ids: [request.params.indicator_id] }),
    )

    app.delete(
      '/incidents/:id/indicators/:indicator_id',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'unlinkIncidentIndicator',
          summary: 'Take an IOC off an incident; the timeline keeps both',
          tags: TAGS,
          params: IndicatorLinkParamsSchema,
          response: CHANGED,
        },
      },
      async (request) => await links.unlinkIndicator(actorOf(request), request.params.id, request.params.indicator_id),
    )
  }
}
