import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `after`: the answer waits for it. */
export type ListAnswer = { status?: number; body?: string | Buffer; headers?: Record<string, string>; after?: Promise<void> }
export type ListServer = {
  /** `127.0.0.1:port`, for OUTBOUND_ALLOW_HOSTS. */
  host: string
  urlOf(name: string): string
  /** What the list of that name answers from now on. */
  publish(name: string, answer: string | ListAnswer): void
  /** Requests so far, by list. */
  asked(name: string): { headers: Record<string, unknown> }[]
  close(): Promise<void>
}

/** A loopback publisher of lists. With an ETag in its headers it answers a matching conditional request with 304. */
export async function startListServer(): Promise<ListServer> {
  const lists = new Map<string, ListAnswer>()
  const requests = new Map<string, { headers: Record<string, unknown> }[]>()
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1).split('?')[0] ?? ''
    requests.set(name, [...(requests.get(name) ?? []), { headers: request.headers }])
    const { status = 200, body = '', headers = {}, after } = lists.get(name) ?? { status: 404 }
    const etag = headers['etag']
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag }).end()
      return
    }
    void Promise.resolve(after).then(() => response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    urlOf: (name) => `http://${host}/${name}`,
    publish: (name, answer) => void lists.set(name, typeof answer === 'string' ? { body: answer } : answer),
    asked: (name) => requests.get(name) ?? [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
