import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Pulse = Record<string, unknown> & { id: string; modified: string }
export type PulseRequest = { path: string; query: URLSearchParams; headers: Record<string, unknown> }
/** What goes wrong with one request; `undefined` lets it be answered. */
export type PulseFault =
  | undefined
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'reset' }
  | { kind: 'json' }
  | { kind: 'body'; body: unknown }
  | { kind: 'redirect'; status?: number; location: string }

export type PulseOptions = {
  /** Pulses that one page holds at most, whatever is asked for. */
  pagePulses?: number
  /** The value of the key header that is asked for. */
  key?: string
  /** The `next` of every page but the last, instead of the right one. */
  next?: unknown
  /** Says no `count`. */
  uncounted?: boolean
}

export type PulseServer = {
  host: string
  base: string
  /** The list of subscriptions. */
  url: string
  /** The pulses, newest first. */
  pulses: Pulse[]
  /** Puts a pulse in front, modified after all others. */
  add(pulse: Pulse): void
  configure(options: PulseOptions): void
  /** Decides about every request; the count is of those since it was set. A promise holds the answer back. */
  failWhen(decide: (request: PulseRequest, count: number) => PulseFault | Promise<PulseFault>): void
  requests: PulseRequest[]
  close(): Promise<void>
}

let made = 0

/** A pulse with one indicator per value, all of them domains. `at`: ISO; it is written without a zone, as the provider does. */
export function pulseOf(values: readonly string[], at: string, more: Record<string, unknown> = {}): Pulse {
  const id = (++made).toString(16).padStart(24, '0')
  const moment = at.replace('Z', '')
  return {
    id,
    name: `Pulse ${id}`,
    created: moment,
    modified: moment,
    tlp: 'white',
    tags: [],
    indicators: values.map((indicator, n) => ({ id: n, indicator, type: 'domain', created: moment, is_active: 1, expiration: null })),
    ...more,
  }
}

/** A loopback server of pulses that can be told to misbehave. */
export async function startPulseServer(): Promise<PulseServer> {
  const requests: PulseRequest[] = []
  const pulses: Pulse[] = []
  let options: PulseOptions = {}
  let decide: (request: PulseRequest, count: number) => PulseFault | Promise<PulseFault> = () => undefined
  let count = 0

  function answerPage(response: ServerResponse, path: string, query: URLSearchParams): void {
    const since = query.get('modified_since')
    const listed = since === null ? pulses : pulses.filter(({ modified }) => modified >= since)
    const limit = Math.min(Number(query.get('limit') ?? '10'), options.pagePulses ?? 50)
    const page = Number(query.get('page') ?? '1')
    const from = (page - 1) * limit
    if (from > 0 && from >= listed.length) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Invalid page."}')
      return
    }
    const isLast = from + limit >= listed.length
    const following = new URLSearchParams(query)
    following.set('page', String(page + 1))
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        results: listed.slice(from, from + limit),
        ...(options.uncounted === true ? {} : { count: listed.length }),
        prefetch_pulse_ids: false,
        t: 0,
        previous: null,
        next: isLast ? null : 'next' in options ? options.next : `http://${host}${path}?${following}`,
      }),
    )
  }

  function misbehave(fault: Exclude<PulseFault, undefined>, response: ServerResponse): void {
    if (fault.kind === 'reset') response.socket?.resetAndDestroy()
    else if (fault.kind === 'status') response.writeHead(fault.status, fault.headers ?? {}).end()
    else if (fault.kind === 'redirect') response.writeHead(fault.status ?? 302, { location: fault.location }).end()
    else if (fault.kind === 'body') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body))
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"count": 9, "next": null, "results": [{"id": "1", "indic')
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const seen: PulseRequest = { path: url.pathname, query: url.searchParams, headers: request.headers }
    requests.push(seen)
    if (options.key !== undefined && request.headers['x-otx-api-key'] !== options.key) {
      response.writeHead(403).end('{"detail":"Authentication required"}')
      return
    }
    void Promise.resolve(decide(seen, ++count)).then((fault) => {
      if (fault === undefined) answerPage(response, url.pathname, url.searchParams)
      else misbehave(fault, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    base: `http://${host}`,
    url: `http://${host}/api/v1/pulses/subscribed`,
    pulses,
    add: (pulse) => void pulses.unshift(pulse),
    configure(changed) {
      options = changed
    },
    failWhen(rule) {
      decide = rule
      count = 0
    },
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
