import type { Socket } from 'node:net'
import { Client } from 'undici'
import { AttemptFailure, type OutboundCode } from './attempt-failure.ts'
import { type ConnectionOptions, openConnection, systemCode } from './connection.ts'

export type ExchangeOptions = ConnectionOptions & {
  /** From the request to the end of the answer's headers. */
  headersMs: number
  /** Longest silence inside the body. */
  bodyIdleMs: number
}

/** One answer, its body still to be read. `close` must be called, read or not. */
export type Answer = {
  status: number
  header(name: string): string | undefined
  body: AsyncIterable<Buffer>
  close(): Promise<void>
}

/** Source: docs/decisions/0006, headers 16 kB. */
const MAX_HEADER_BYTES = 16_384

/** What undici's and the parser's codes mean before and inside the body. */
const FAILURE_BY_CODE: Readonly<Record<string, { code: OutboundCode; detail: string }>> = {
  UND_ERR_HEADERS_TIMEOUT: { code: 'timeout', detail: 'no answer' },
  UND_ERR_BODY_TIMEOUT: { code: 'timeout', detail: 'the answer stalled' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { code: 'truncated', detail: 'its length differs from Content-Length' },
  UND_ERR_HEADERS_OVERFLOW: { code: 'bad_response', detail: 'headers too large' },
}

/** One GET, or one POST when there is a body, over a connection of its own, to a checked address; redirects are not followed. @throws AttemptFailure */
export async function requestOnce(
  { url, headers, body }: { url: URL; headers: Record<string, string>; body?: string },
  options: ExchangeOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const socket = await openConnection(url, options, signal)
  const hasExcess = watchExcess(socket)
  const client = clientOver(socket, url, options)
  const close = async () => {
    await client.destroy()
    socket.destroy()
  }
  try {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await client.request({ method, path: url.pathname + url.search, headers, body: body ?? null, signal })
    return {
      status: answer.statusCode,
      header: (name) => joined(answer.headers[name]),
      body: guardBody(answer.body, () => {
        if (hasExcess()) return 'it is longer than its Content-Length'
        return isOpenEnded(answer.headers) && socket.errored !== null && systemCode(socket.errored) === 'ECONNRESET'
          ? 'ECONNRESET'
          : undefined
      }),
      close,
    }
  } catch (error) {
    await close()
    throw toFailure(error, 'reset')
  }
}

/** A client that can use this socket and no other: a second connection would go to an address that was not checked. */
function clientOver(socket: Socket, url: URL, options: ExchangeOptions): Client {
  let unused: Socket | undefined = socket
  return new Client(url.origin, {
    connect: (_options, callback) => {
      const given = unused
      unused = undefined
      if (given === undefined || given.destroyed) callback(new AttemptFailure('reset', { detail: 'connection closed' }), null)
      // Later, never at once: undici ignores a connection that is there before it has finished asking for one.
      else queueMicrotask(() => callback(null, given))
    },
    headersTimeout: options.headersMs,
    bodyTimeout: options.bodyIdleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
}

/**
 * True, once the body has ended, when bytes came after its declared end: then Content-Length was too small and rows are missing.
 * undici itself drops them: it unshifts them to the destroyed socket, or destroys the socket with a parser error.
 */
function watchExcess(socket: Socket): () => boolean {
  let leftoverBytes = 0
  const unshift = socket.unshift.bind(socket)
  socket.unshift = (chunk: Buffer) => {
    if (socket.destroyed) leftoverBytes += chunk.length
    else unshift(chunk)
  }
  return () => leftoverBytes > 0 || socket.errored?.name === 'HTTPParserError' || socket.errored?.message === 'bad response'
}

/** True for a body that only the end of the connection ends; undici takes a reset for that end. */
function isOpenEnded(headers: Record<string, string | string[] | undefined>): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

/** @param fault what is wrong with a body that seems to have ended well */
async function* guardBody(body: AsyncIterable<Buffer>, fault: () => string | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    throw toFailure(error, 'truncated')
  }
  const detail = fault()
  if (detail !== undefined) throw new AttemptFailure('truncated', { detail })
}

/** @param closed what a connection that ends early means at this point */
function toFailure(error: unknown, closed: 'reset' | 'truncated'): AttemptFailure {
  if (error instanceof AttemptFailure) return error
  const code = systemCode(error)
  const known = FAILURE_BY_CODE[code]
  if (known !== undefined) return new AttemptFailure(known.code, { detail: known.detail })
  if (code === 'UND_ERR_SOCKET' || code === 'HPE_INVALID_EOF_STATE')
    return new AttemptFailure(closed, { detail: 'connection closed early' })
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT') return new AttemptFailure('reset', { detail: code })
  return new AttemptFailure('bad_response', { detail: code })
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
