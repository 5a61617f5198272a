import { setTimeout as sleepFor } from 'node:timers/promises'
import { type Clock, MS_PER_SECOND, systemClock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import { type AttemptOptions, type AttemptRequest, type AttemptResult, attemptDownload } from './attempt.ts'
import { AttemptFailure, failureSentence, type OutboundCode } from './attempt-failure.ts'
import { attemptGapMs, MAX_ATTEMPTS } from './attempt-gap.ts'
import { type Dial, type Resolve, systemDial, systemResolve } from './connection.ts'
import { startDeadline } from './deadline.ts'
import { requestOnce } from './exchange.ts'
import { createMask, fillPlaceholders } from './placeholders.ts'
import { tryParseRetryAfter } from './retry-after.ts'
import { judgeUrl, type UrlVerdict } from './url-rules.ts'

export type DownloadRequest = {
  /** The template, placeholders unfilled. */
  url: string
  /** Values of the settings `FEED_KEY_<NAME>`, by NAME. */
  keys: Readonly<Record<string, string>>
  /** Sent to the first host; of these only `accept` and `accept-language` follow a redirect to another. */
  headers?: Readonly<Record<string, string>>
  /** Sent to the first host only. */
  credentialHeaders?: Readonly<Record<string, string>>
  /** Refuses redirects to another origin, instead of following them without the credentials. */
  staysHome?: boolean
  /** Names of headers that the answer is to be given back with, in lower case. */
  answerHeaders?: readonly string[]
  etag?: string
  lastModified?: string
  /** Decoded bytes. */
  maxBytes: number
  /** Unpacks the file itself as well: gzip, zstd, xz or zip, recognised by its first bytes. */
  unpackArchive?: boolean
  /** Requests at most, when the caller has a schedule of its own. */
  maxAttempts?: number
  /** For one attempt, when a body is known to take longer. */
  totalMs?: number
  signal?: AbortSignal
}

/** A message to somebody else's server. */
export type PostRequest = {
  /** As it stands: braces are no placeholders here. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** For everything together. */
  totalMs: number
  signal?: AbortSignal
}
/** What the other side made of it, whatever the status; the body of its answer is not read. */
export type Posted = { status: number; retryAfterMs: number | undefined }

/** `body` belongs to the caller, who disposes of it. */
export type Downloaded = AttemptResult & { attempts: number }

export type Outbound = {
  /** Whether the address may be registered, from its text alone: no name is resolved and no packet leaves. */
  judge(url: string): UrlVerdict
  /** A judged, guarded, capped GET in up to three attempts. @throws OutboundError, or the reason of `signal` when it is aborted */
  download(request: DownloadRequest): Promise<Downloaded>
  /** One judged, guarded POST; a redirect is an answer like another. @throws OutboundError when there was no answer */
  post(request: PostRequest): Promise<Posted>
  /** Stops what is under way and waits for it. */
  close(): Promise<void>
}

/** Why a download failed, as one masked sentence for a person that says what to do. Never carries a `cause`: causes hold addresses with keys. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundCode
  /** Requests that were tried; 0 when the address was refused before the first. */
  readonly attempts: number
  /** Status of the answer, when there was one. */
  readonly status: number | undefined
  /** What a refusal asked for; the caller caps it, such as at the interval of the feed. */
  readonly retryAfterMs: number | undefined

  constructor(failure: AttemptFailure, attempts: number, mask: (text: string) => string) {
    super(mask(failureSentence(failure)))
    this.code = failure.code
    this.attempts = attempts
    this.status = failure.facts.status
    this.retryAfterMs = failure.facts.retryAfterMs
  }
}

/** Time limits of one attempt, in milliseconds. */
export type OutboundLimits = { connectMs: number; headersMs: number; bodyIdleMs: number; totalMs: number }

/** Source: docs/decisions/0005 (10 s, 10 s, 20 s, 60 s in all). */
export const OUTBOUND_LIMITS: OutboundLimits = { connectMs: 10_000, headersMs: 10_000, bodyIdleMs: 20_000, totalMs: 60_000 }

export type OutboundOptions = {
  allowHosts: AllowedHosts
  userAgent: string
  log: Log
  limits?: Partial<OutboundLimits>
  /** Where bodies are spooled; the system's temporary folder when absent. */
  spoolFolder?: string
  /** Certificates to trust instead of the built-in ones, PEM. */
  ca?: string
  resolve?: Resolve
  dial?: Dial
  clock?: Clock
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1, for the jitter. */
  random?: () => number
}

type Context = {
  options: AttemptOptions
  limits: OutboundLimits
  log: Log
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}

/** The one door to the network. Proxy settings of the environment are not read: a proxy would dial for us, unchecked. */
export function createOutbound(options: OutboundOptions): Outbound {
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const context = toContext(options)

  async function untilClosed<Result>(signal: AbortSignal | undefined, work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
    const stop = startDeadline(signal === undefined ? [closing.signal] : [closing.signal, signal])
    const working = work(stop.signal)
    underWay.add(working)
    try {
      return await working
    } finally {
      underWay.delete(working)
      stop.clear()
    }
  }

  return {
    judge: (url) => judgeUrl(url, { allowHosts: options.allowHosts }),
    download: async (request) => await untilClosed(request.signal, async (stop) => await downloadInAttempts(request, context, stop)),
    post: async (request) => await untilClosed(request.signal, async (stop) => await postOnce(request, context, stop)),
    async close() {
      closing.abort()
      await Promise.allSettled(underWay)
    },
  }
}

function toContext(options: OutboundOptions): Context {
  const { allowHosts, userAgent, log, resolve = systemResolve, dial = systemDial, clock = systemClock, random = Math.random } = options
  const limits = { ...OUTBOUND_LIMITS, ...options.limits }
  const { connectMs, headersMs, bodyIdleMs } = limits
  return {
    options: {
      ...{ allowHosts, userAgent, resolve, dial, connectMs, headersMs, bodyIdleMs },
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.spoolFolder === undefined ? {} : { spoolFolder: options.spoolFolder }),
      nowMs: () => clock().getTime(),
    },
    limits,
    log,
    sleep: options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal })),
    random,
  }
}

async function downloadInAttempts(request: DownloadRequest, context: Context, signal: AbortSignal): Promise<Downloaded> {
  const mask = createMask(secretsOf(request))
  let attempts = 0
  try {
    const prepared = prepare(request, context.options.allowHosts, mask)
    const { maxAttempts = MAX_ATTEMPTS, totalMs = context.limits.totalMs } = request
    for (;;) {
      attempts += 1
      const outcome = await tryOnce(prepared, { ...context, limits: { ...context.limits, totalMs } }, signal)
      if (!(outcome instanceof AttemptFailure)) return { ...outcome, attempts }
      const isLast = attempts >= maxAttempts || !outcome.isRetried
      const gapMs = isLast ? undefined : Math.round(attemptGapMs(attempts, context.random))
      context.log.warn('outbound.attempt_failed', logFields(outcome, { attempt: attempts, gapMs }, mask))
      if (gapMs === undefined) throw outcome
      await context.sleep(gapMs, signal)
    }
  } catch (error) {
    // The caller's own reason tells it why it stopped: a shutdown, a lost lock.
    request.signal?.throwIfAborted()
    throw new OutboundError(toFailure(error, signal, context.log), attempts, mask)
  }
}

async function postOnce(request: PostRequest, { options, log }: Context, signal: AbortSignal): Promise<Posted> {
  const total = startDeadline([signal], request.totalMs)
  try {
    const verdict = judgeUrl(request.url, { allowHosts: options.allowHosts, template: false })
    if (!verdict.ok) throw new AttemptFailure('url_forbidden', { detail: verdict.reason })
    return await post(verdict.url, request, options, total.signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    const failure = total.isExpired()
      ? new AttemptFailure('timeout', {
          host: URL.parse(request.url)?.host ?? '',
          detail: `no answer within ${request.totalMs / MS_PER_SECOND} s`,
        })
      : toFailure(error, signal, log)
    // A sentence names the host and nothing else of the address, whose path may be all that it takes to write there.
    throw new OutboundError(failure, 1, (text) => text)
  } finally {
    total.clear()
  }
}

async function post(url: URL, { headers, body }: PostRequest, options: AttemptOptions, signal: AbortSignal): Promise<Posted> {
  try {
    const own = { 'user-agent': options.userAgent, accept: '*/*', ...headers }
    const answer = await requestOnce({ url, headers: own, body }, options, signal)
    await answer.close()
    return { status: answer.status, retryAfterMs: tryParseRetryAfter(answer.header('retry-after'), options.nowMs()) }
  } catch (error) {
    throw error instanceof AttemptFailure ? new AttemptFailure(error.code, { host: url.host, ...error.facts }) : error
  }
}

/** Everything that can be refused before the first packet. @throws AttemptFailure url_forbidden, feed_key_missing */
function prepare(request: DownloadRequest, allowHosts: AllowedHosts, mask: (text: string) => string): AttemptRequest {
  const template = judgeUrl(request.url, { allowHosts })
  if (!template.ok) throw new AttemptFailure('url_forbidden', { detail: template.reason })
  // Filled values are URL-encoded and stand behind the host, so what was judged still holds; a length beyond the cap is the key's own.
  const url = new URL(fillPlaceholders(request.url, request.keys))
  url.hostname = template.url.hostname
  url.hash = ''
  return {
    url,
    headers: request.headers ?? {},
    credentialHeaders: request.credentialHeaders ?? {},
    etag: request.etag,
    lastModified: request.lastModified,
    maxBytes: request.maxBytes,
    unpackArchive: request.unpackArchive ?? false,
    answerHeaders: request.answerHeaders ?? [],
    staysHome: request.staysHome ?? false,
    holdsSecret: (text) => mask(text) !== text,
  }
}

/** One attempt inside its total time. Failures come back as values, so that the loop above reads as the policy it is. */
async function tryOnce(request: AttemptRequest, context: Context, signal: AbortSignal): Promise<AttemptResult | AttemptFailure> {
  const total = startDeadline([signal], context.limits.totalMs)
  try {
    return await attemptDownload(request, context.options, total.signal)
  } catch (error) {
    if (signal.aborted) throw error
    if (total.isExpired())
      return new AttemptFailure('timeout', { host: request.url.host, detail: `not done after ${context.limits.totalMs / 1000} s` })
    if (error instanceof AttemptFailure) return error
    throw error
  } finally {
    total.clear()
  }
}

function secretsOf({ keys, credentialHeaders = {} }: DownloadRequest): string[] {
  const credentials = Object.values(credentialHeaders).flatMap((value) => {
    const [scheme = '', token = ''] = value.split(' ', 2)
    return scheme.toLowerCase() === 'basic' ? [value, token, ...basicPassword(token)] : [value, token]
  })
  return [...Object.values(keys), ...credentials]
}

function basicPassword(token: string): string[] {
  const pair = Buffer.from(token, 'base64').toString('utf8')
  return [pair, pair.slice(pair.indexOf(':') + 1)]
}

function logFields(
  failure: AttemptFailure,
  { attempt, gapMs }: { attempt: number; gapMs: number | undefined },
  mask: (text: string) => string,
) {
  const { host = '', detail = '', status } = failure.facts
  return { host: mask(host), code: failure.code, reason: mask(detail), status, attempt, wait_ms: gapMs }
}

function toFailure(error: unknown, signal: AbortSignal, log: Log): AttemptFailure {
  if (signal.aborted) return new AttemptFailure('aborted')
  if (error instanceof AttemptFailure) return error
  if (error instanceof DomainError) return new AttemptFailure('feed_key_missing', { detail: error.message })
  // A bug: its text may hold the filled address, so only its name is told.
  const name = error instanceof Error ? error.name : typeof error
  log.error('outbound.unexpected', { name })
  return new AttemptFailure('bad_response', { detail: name })
}
