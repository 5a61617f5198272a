import type { IncomingMessage } from 'node:http'
import { newId } from '#kernel/ids.ts'

/** What a client may choose as its own request id. Source: docs/decisions/0006. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/

/** The client's own request id when it is harmless, else a new one. It links answer, access line and audit row. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : newId()
}
