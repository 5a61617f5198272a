import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from '#kernel/error-catalogue.ts'
import { newId } from '#kernel/ids.ts'
import type { Log } from '#platform/logging/logger.ts'
import { PROBLEM_TYPE, problemBody } from './problem.ts'
import { canonicalAddress } from './trusted-proxies.ts'

/** A connection that does not take its last answer is cut all the same, milliseconds. */
const LAST_ANSWER_MS = 1000

type Refusal = { code: ErrorCode; detail: string }

const MALFORMED: Refusal = { code: 'malformed_request', detail: 'This is not a request in HTTP/1.1.' }
/** By the code of the HTTP parser. */
const REFUSALS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers are larger than 16 KiB in all.' },
}

/** Answers what never became a request (no HTTP, too large, too slow) as a problem, and closes the connection. */
export function answerConnectionError(error: Error & { code?: string }, socket: Socket, log: Log): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  const { code, detail } = REFUSALS[error.code ?? ''] ?? MALFORMED
  const status = ERROR_STATUS[code]
  const requestId = newId()
  const client = canonicalAddress(socket.remoteAddress?.split('%')[0] ?? '')
  log.info('http.connection_refused', { status, client, request_id: requestId })
  const body = JSON.stringify(problemBody(code, detail, requestId))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_TITLE[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    `X-Request-ID: ${requestId}`,
    'Connection: close',
  ]
  const timer = setTimeout(() => socket.destroy(), LAST_ANSWER_MS)
  socket.once('close', () => clearTimeout(timer))
  // Ended, not destroyed: a reset would overtake the answer.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** A second status line in the middle of an answer would be taken for a part of it. Node keeps the answer in progress at its socket. */
function hasBegunToAnswer(socket: Socket): boolean {
  const answer = (socket as Socket & { _httpMessage?: { headersSent?: boolean } | null })._httpMessage
  return answer?.headersSent === true
}
