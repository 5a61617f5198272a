import { AttemptFailure } from './attempt-failure.ts'
import { ACCEPT_ENCODING, decodeBody, parseContentEncoding, unpackByMagic } from './content-decoding.ts'
import { type Answer, type ExchangeOptions, requestOnce } from './exchange.ts'
import { isRedirect, MAX_REDIRECTS, redirectTarget } from './redirect.ts'
import { tryParseRetryAfter } from './retry-after.ts'
import { counted, type Packed, type Spool, writeSpool } from './spool.ts'

/** A download whose address has been judged and whose placeholders are filled. */
export type AttemptRequest = {
  url: URL
  headers: Readonly<Record<string, string>>
  credentialHeaders: Readonly<Record<string, string>>
  etag: string | undefined
  lastModified: string | undefined
  maxBytes: number
  unpackArchive: boolean
  /** Redirects to another origin are refused. */
  staysHome: boolean
  /** Headers of the answer that the caller asks for, in lower case. */
  answerHeaders: readonly string[]
  /** True for a text that holds an access key or a credential in any form. */
  holdsSecret(text: string): boolean
}

export type AttemptOptions = ExchangeOptions & {
  userAgent: string
  spoolFolder?: string
  nowMs: () => number
}

export type AttemptResult =
  | { kind: 'not_modified' }
  | {
      kind: 'ok'
      body: Spool
      etag?: string
      lastModified?: string
      contentType?: string
      /** Those of `answerHeaders` that the answer has: text of the other side, not to be trusted. */
      answerHeaders: Readonly<Record<string, string>>
    }

const STATUS_OK = 200
/** A proxy changed the answer on its way; the rows are the same. Source: RFC 9110, 15.3.4. */
const STATUS_TRANSFORMED = 203
const STATUS_NOT_MODIFIED = 304
const STATUS_TOO_MANY_REQUESTS = 429
/** Headers that say nothing about the caller and may go to the target of a redirect. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language'])
/** A validator is sent back to whoever gave it; anything longer or stranger is not kept. Assumption. */
const VALIDATOR = /^[\x20-\x7e]{1,512}$/

/** One request with its redirects, the decoded answer on disk. @throws AttemptFailure */
export async function attemptDownload(request: AttemptRequest, options: AttemptOptions, signal: AbortSignal): Promise<AttemptResult> {
  let url = request.url
  let isHome = true
  for (let redirects = 0; ; redirects += 1) {
    try {
      const answer = await requestOnce({ url, headers: requestHeaders(request, isHome, options.userAgent) }, options, signal)
      try {
        if (!isRedirect(answer.status)) return await takeAnswer(answer, request, options)
        if (redirects === MAX_REDIRECTS) throw new AttemptFailure('too_many_redirects', { detail: String(MAX_REDIRECTS) })
        const next = redirectTarget(answer.header('location'), url, options.allowHosts)
        // Once left, the first host counts as foreign too: the way back was chosen by the other one.
        isHome = isHome && next.origin === request.url.origin
        if (!isHome && request.staysHome)
          throw new AttemptFailure('redirect_forbidden', { detail: 'It led to another host, which is not for these credentials.' })
        if (!isHome && request.holdsSecret(next.href)) {
          throw new AttemptFailure('redirect_forbidden', { detail: 'It would have sent the access key to another host.' })
        }
        url = next
      } finally {
        await answer.close()
      }
    } catch (error) {
      throw error instanceof AttemptFailure ? new AttemptFailure(error.code, { host: url.host, ...error.facts }) : error
    }
  }
}

function requestHeaders(request: AttemptRequest, isHome: boolean, userAgent: string): Record<string, string> {
  const own = Object.entries(request.headers).filter(([name]) => isHome || HARMLESS_HEADERS.has(name.toLowerCase()))
  return {
    accept: '*/*',
    ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    ...(isHome ? request.credentialHeaders : {}),
    'user-agent': userAgent,
    'accept-encoding': ACCEPT_ENCODING,
    ...(request.etag !== undefined && VALIDATOR.test(request.etag) ? { 'if-none-match': request.etag } : {}),
    ...(request.lastModified !== undefined && VALIDATOR.test(request.lastModified) ? { 'if-modified-since': request.lastModified } : {}),
  }
}

async function takeAnswer(answer: Answer, request: AttemptRequest, options: AttemptOptions): Promise<AttemptResult> {
  const { status } = answer
  const isConditional = request.etag !== undefined || request.lastModified !== undefined
  if (status === STATUS_NOT_MODIFIED && isConditional) return { kind: 'not_modified' }
  if (status !== STATUS_OK && status !== STATUS_TRANSFORMED) {
    const retryAfterMs = tryParseRetryAfter(answer.header('retry-after'), options.nowMs())
    const facts = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    throw new AttemptFailure(status === STATUS_TOO_MANY_REQUESTS ? 'rate_limited' : 'http_status', facts)
  }
  const body = await spoolAnswer(answer, request, options.spoolFolder)
  return {
    kind: 'ok',
    body,
    ...optional('etag', keptValidator(answer.header('etag'))),
    ...optional('lastModified', keptValidator(answer.header('last-modified'))),
    ...optional('contentType', answer.header('content-type')),
    answerHeaders: Object.fromEntries(
      request.answerHeaders.flatMap((name) => {
        const value = answer.header(name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}

async function spoolAnswer(answer: Answer, request: AttemptRequest, folder: string | undefined): Promise<Spool> {
  const { maxBytes } = request
  const maxEncodedBytes = encodedLimit(maxBytes)
  const codings = parseContentEncoding(answer.header('content-encoding'))
  if (Number(answer.header('content-length') ?? 0) > maxEncodedBytes) throw tooLarge(maxBytes)
  const packed: Packed = { bytes: 0, codings: [...codings] }
  const decoded = decodeBody(limitEncoded(answer.body, { maxBytes, packed }), codings)
  const source = request.unpackArchive ? unpackByMagic(decoded, (name) => packed.codings.push(name)) : decoded
  return await writeSpool(source, folder === undefined ? { maxBytes, packed } : { maxBytes, packed, folder })
}

/** Bytes on the wire that a body within the limit can have: data that cannot be compressed grows a little. Assumption: 1 % and 64 kB. */
function encodedLimit(maxBytes: number): number {
  return maxBytes + Math.ceil(maxBytes / 100) + 65_536
}

/** A bomb may decode to nothing at all, so what arrives is counted as well as what comes out. */
async function* limitEncoded(
  body: AsyncIterable<Buffer>,
  { maxBytes, packed }: { maxBytes: number; packed: Packed },
): AsyncGenerator<Buffer> {
  const maxEncodedBytes = encodedLimit(maxBytes)
  for await (const chunk of counted(body, packed)) {
    if (packed.bytes > maxEncodedBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

function tooLarge(maxBytes: number): AttemptFailure {
  return new AttemptFailure('too_large', { detail: String(maxBytes) })
}

function keptValidator(value: string | undefined): string | undefined {
  return value !== undefined && VALIDATOR.test(value) ? value : undefined
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  // The cast: TypeScript widens a computed key to string.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string })
}
