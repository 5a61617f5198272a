import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, EVERYONE } from '../access.ts'
import { problems } from '../schemas.ts'
import { setSecurityHeaders } from '../security-headers.ts'
import type { EventStreams } from './event-streams.ts'

const EVENT_STREAM = 'text/event-stream'
const DESCRIPTION = `Server-Sent Events, as UTF-8 text that does not end. Send the access token in the Authorization header; it is never taken from the address.

Each event has an \`id\`, a name (\`event\`) and one line of JSON (\`data\`) with \`id\`, \`at\` and the members below: identifiers and figures, to read the rest again.

| event | data, beside \`id\` and \`at\` |
|---|---|
| \`feed.collected\` | \`feed_id\`, \`run_id\`, \`outcome\`, \`new_count\`, \`updated_count\`, \`gone_count\`, \`rejected_count\`; for an ADMIN also \`error\` (text or null) |
| \`exclusions.changed\` | \`change\` (created or removed), \`touched\`, \`actor\` |
| \`resync\` | nothing: events may have been missed, read again what is shown |
| \`expired\` | nothing: the presented token has expired and the stream ends |

Reserved for later: \`alert.created\`, \`alert.acknowledged\`, \`incident.created\`, \`incident.updated\`, \`hunt.completed\`.

A comment line comes every 15 s. A stream ends with the presented token, and within 15 s when its account is disabled or its session revoked. Past events are not kept: a request with \`Last-Event-ID\` gets one \`resync\`. At most 5 streams of one account may be open.`

/**
 * GET /stream. The headers are written by hand: the answer is taken out of the framework, whose hooks wait for an end.
 * @param hsts as for every other answer
 */
export function streamRoute({ streams, hsts }: { streams: EventStreams; hsts: boolean }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('preClose', async () => streams.close())

    app.get(
      '/stream',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'streamEvents',
          summary: 'Live events (Server-Sent Events)',
          description: DESCRIPTION,
          tags: ['events'],
          headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 100 })) }),
          response: {
            200: { description: 'The stream.', content: { [EVENT_STREAM]: { schema: Type.String() } } },
            ...problems(401, 429),
          },
        },
      },
      async (request, reply) => {
        if (request.method === 'HEAD') return await reply.header('content-type', EVENT_STREAM).send('')
        const { id = '', role, sessionId = '' } = actorOf(request)
        await streams.open({
          // A request without an end has passed no check, and its stream ends as it begins.
          holder: { accountId: id, sessionId, role, expiresAt: request.tokenExpiresAt ?? new Date(0) },
          response: reply.raw,
          resumes: request.headers['last-event-id'] !== undefined,
          begin: () => begin(request, reply, hsts),
        })
        return reply
      },
    )
  }
}

function begin(request: FastifyRequest, reply: FastifyReply, hsts: boolean): void {
  reply.hijack()
  void reply.header('content-type', EVENT_STREAM)
  // nginx keeps back what fills no buffer, unless the answer says so. Source: nginx, ngx_http_proxy_module, proxy_buffering.
  void reply.header('x-accel-buffering', 'no')
  setSecurityHeaders(request, reply, hsts)
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
}
