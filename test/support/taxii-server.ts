import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object with the moment at which the collection got it, in microseconds. */
export type AddedObject = { object: Record<string, unknown>; addedMicros: number }
export type TaxiiRequest = { path: string; query: URLSearchParams; headers: Record<string, unknown> }
/** What goes wrong with one request; `undefined` lets it be answered. */
export type Fault =
  | undefined
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'reset' }
  | { kind: 'cut' }
  | { kind: 'json' }
  | { kind: 'redirect'; location: string }

export type TaxiiOptions = {
  /** `date`: says `more` and gives no `next`. */
  paging?: 'next' | 'date'
  /** Objects that one answer holds at most, whatever is asked for. */
  pageObjects?: number
  /** Leaves the X-TAXII headers out. */
  undated?: boolean
  mediaType?: string
  /** Given as `next` each time, whatever the page. */
  fixedNext?: string
  /** The value of Authorization that is asked for. */
  authorization?: string
}

export type TaxiiServer = {
  host: string
  /** `https?://host/taxii2/` */
  discoveryUrl: string
  collectionUrl(id?: string): string
  /** Objects of a collection, in the order of their moments. */
  objects(id?: string): AddedObject[]
  setCollections(collections: Record<string, unknown>[]): void
  setDiscovery(discovery: Record<string, unknown>): void
  configure(options: TaxiiOptions): void
  /** Decides about every request for objects; the count is of those since it was set. */
  failWhen(decide: (request: TaxiiRequest, count: number) => Fault): void
  requests: TaxiiRequest[]
  close(): Promise<void>
}

export const COLLECTION = '8f2c1a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b'
const TAXII = 'application/taxii+json;version=2.1'

/** An indicator object that names one value. */
export function indicatorObject(value: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const hex = Buffer.from(value).toString('hex').padEnd(32, '0').slice(-32)
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`,
    created: '2026-11-01T08:00:00.000Z',
    modified: '2026-11-01T08:00:00.000Z',
    name: value,
    pattern: `[domain-name:value = '${value}']`,
    pattern_type: 'stix',
    valid_from: '2026-11-01T08:00:00Z',
    ...more,
  }
}

/** Microseconds as TAXII writes them. */
export function toTaxiiTime(micros: number): string {
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`
}

function toMicros(text: string): number {
  const [, whole = '', fraction = ''] = /^(.*:\d{2})(?:\.(\d+))?Z$/.exec(text) ?? []
  return Date.parse(`${whole}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** A loopback TAXII 2.1 server that can be told to misbehave. */
export async function startTaxiiServer(): Promise<TaxiiServer> {
  const stores = new Map<string, AddedObject[]>([[COLLECTION, []]])
  const requests: TaxiiRequest[] = []
  let options: TaxiiOptions = {}
  let collections: Record<string, unknown>[] = [{ id: COLLECTION, title: 'Indicators', can_read: true, can_write: false }]
  let discovery: Record<string, unknown> = { title: 'Test server', default: '/root/', api_roots: ['/root/'] }
  let decide: (request: TaxiiRequest, count: number) => Fault = () => undefined
  let count = 0

  function answer(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(200, { 'content-type': options.mediaType ?? TAXII, ...headers }).end(JSON.stringify(body))
  }

  function answerObjects(response: ServerResponse, store: AddedObject[], query: URLSearchParams): void {
    const { paging = 'next', pageObjects = 1000, undated = false, fixedNext } = options
    const after = query.get('added_after')
    const since = after === null ? store : store.filter(({ addedMicros }) => addedMicros > toMicros(after))
    const offset = fixedNext === undefined ? Number(query.get('next') ?? '0') : query.has('next') ? pageObjects : 0
    const page = since.slice(offset, offset + Math.min(pageObjects, Number(query.get('limit') ?? '1000')))
    const more = fixedNext !== undefined || offset + page.length < since.length
    const first = page[0]
    const last = page.at(-1)
    const headers: Record<string, string> =
      undated || first === undefined || last === undefined
        ? {}
        : { 'X-TAXII-Date-Added-First': toTaxiiTime(first.addedMicros), 'X-TAXII-Date-Added-Last': toTaxiiTime(last.addedMicros) }
    const next = more && paging === 'next' ? { next: fixedNext ?? String(offset + page.length) } : {}
    answer(response, { more, ...next, ...(page.length === 0 ? {} : { objects: page.map(({ object }) => object) }) }, headers)
  }

  function misbehave(fault: Exclude<Fault, undefined>, response: ServerResponse): void {
    if (fault.kind === 'reset') response.socket?.resetAndDestroy()
    else if (fault.kind === 'status') response.writeHead(fault.status, fault.headers ?? {}).end()
    else if (fault.kind === 'redirect') response.writeHead(302, { location: fault.location }).end()
    else if (fault.kind === 'json') response.writeHead(200, { 'content-type': TAXII }).end('{"more": true, "objects": [{"type": "indi')
    else {
      response.writeHead(200, { 'content-type': TAXII, 'content-length': '5000' })
      response.write('{"objects": [')
      setTimeout(() => response.socket?.destroy(), 5)
    }
  }

  function refuse(request: IncomingMessage, response: ServerResponse): boolean {
    const isKnown = options.authorization === undefined || request.headers.authorization === options.authorization
    if (isKnown && request.headers.accept === TAXII) return false
    response.writeHead(isKnown ? 406 : 401, { 'content-type': TAXII }).end(JSON.stringify({ title: 'Refused' }))
    return true
  }

  /** A resource that is not a page of objects. */
  function findResource(path: string): Record<string, unknown> | undefined {
    if (path === '/taxii2/') return discovery
    if (path === '/root/') return { title: 'Root', versions: [TAXII], max_content_length: 1000 }
    if (path === '/root/collections/') return collections.length === 0 ? {} : { collections }
    return collections.find(({ id }) => path === `/root/collections/${id}/`)
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const seen: TaxiiRequest = { path: url.pathname, query: url.searchParams, headers: request.headers }
    requests.push(seen)
    if (refuse(request, response)) return
    const resource = findResource(url.pathname)
    const store = stores.get(/^\/root\/collections\/([^/]+)\/objects\/$/.exec(url.pathname)?.[1] ?? '')
    if (resource !== undefined) answer(response, resource)
    else if (store === undefined) response.writeHead(404, { 'content-type': TAXII }).end('{"title":"Unknown"}')
    else {
      const fault = decide(seen, ++count)
      if (fault === undefined) answerObjects(response, store, url.searchParams)
      else misbehave(fault, response)
    }
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    discoveryUrl: `http://${host}/taxii2/`,
    collectionUrl: (id = COLLECTION) => `http://${host}/root/collections/${id}/`,
    objects(id = COLLECTION) {
      const store = stores.get(id) ?? []
      stores.set(id, store)
      return store
    },
    setCollections(list) {
      collections = list
    },
    setDiscovery(resource) {
      discovery = resource
    },
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
