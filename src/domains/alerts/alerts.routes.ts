import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, ANALYSTS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import {
  AcknowledgeManySchema,
  AcknowledgementSchema,
  AlertPageSchema,
  AlertQuerySchema,
  AlertSchema,
  DeliveriesSchema,
} from './alerts.schemas.ts'
import type { AlertsService } from './alerts.service.ts'
import type { DeliveriesService } from './deliveries.service.ts'

export type AlertRouteDeps = { alerts: AlertsService; deliveries: Pick<DeliveriesService, 'list' | 'replay'> }

export function alertRoutes({ alerts, deliveries }: AlertRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['alerts']

    app.get(
      '/alerts',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listAlerts',
          summary: 'Alerts, newest or most urgent first, 50 a page',
          tags,
          querystring: AlertQuerySchema,
          response: { 200: AlertPageSchema, ...problems(401, 422) },
        },
      },
      async ({ query }) => await alerts.page(query),
    )

    app.get(
      '/alerts/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getAlert',
          summary: 'One alert',
          tags,
          params: IdParamsSchema,
          response: { 200: AlertSchema, ...problems(401, 404, 422) },
        },
      },
      async ({ params }) => await alerts.get(params.id),
    )

    app.post(
      '/alerts/:id/ack',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'acknowledgeAlert',
          summary: 'Acknowledge an alert',
          tags,
          params: IdParamsSchema,
          response: { 200: AlertSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request) => await alerts.acknowledge(actorOf(request), request.params.id),
    )

    app.post(
      '/alerts/ack',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'acknowledgeAlerts',
          summary: 'Acknowledge several alerts; those that are not open stay as they are',
          tags,
          body: AcknowledgeManySchema,
          response: { 200: AcknowledgementSchema, ...problems(401, 403, 422) },
        },
      },
      async (request) => await alerts.acknowledgeAll(actorOf(request), request.body.ids),
    )

    app.get(
      '/alerts/:id/deliveries',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'listAlertDeliveries',
          summary: 'Attempts to tell the webhook of an alert, newest first',
          tags,
          params: IdParamsSchema,
          response: { 200: DeliveriesSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async ({ params }) => ({ items: await deliveries.list(params.id) }),
    )

    app.post(
      '/alerts/:id/deliveries',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'replayAlertDelivery',
          summary: 'Tell the webhook of an alert again, with the same id',
          tags,
          params: IdParamsSchema,
          response: { 202: AlertSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request, reply) => {
        await deliveries.replay(actorOf(request), request.params.id)
        return await reply.code(202).send(await alerts.get(request.params.id))
      },
    )
  }
}
