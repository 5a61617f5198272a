import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TestCertificate } from './self-signed.ts'

/** One request as the server saw it, byte for byte. */
export type SeenRequest = { method: string; path: string; headers: Record<string, string>; raw: string; peer: string; atMs: number }
/** Writes whatever it likes, and ends or keeps the connection. */
export type Answerer = (socket: Socket, request: SeenRequest) => void | Promise<void>

export type BadServer = {
  port: number
  /** `http://127.0.0.1:port`, or https with a certificate. */
  origin: string
  /** For `OUTBOUND_ALLOW_HOSTS`. */
  host: string
  requests: SeenRequest[]
  /** Connections that were accepted, with or without a request. */
  connections: number
  answer: (answerer: Answerer) => void
  /** Bytes sent to every new connection before any request. */
  greet: (text: string) => void
  close: () => Promise<void>
}

/** A loopback server that answers at the level of sockets, so that it can break HTTP in any way. One request per connection. */
export async function startBadServer(answerer: Answerer, certificate?: TestCertificate): Promise<BadServer> {
  const sockets = new Set<Socket>()
  let current = answerer
  let greeting = ''
  const onSocket = (socket: Socket) => {
    bad.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    if (greeting !== '') socket.write(greeting)
    let head = ''
    const onData = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      socket.off('data', onData)
      socket.resume()
      const request = toSeen(head, socket.remoteAddress ?? '')
      bad.requests.push(request)
      void current(socket, request)
    }
    socket.on('data', onData)
  }
  const server: Server = certificate === undefined ? createServer(onSocket) : createTlsServer(certificate, onSocket)
  // A client that refuses the certificate is part of the trial.
  server.on('tlsClientError', () => undefined)
  const port = await listening(server)
  const bad: BadServer = {
    port,
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests: [],
    connections: 0,
    answer: (next) => {
      current = next
    },
    greet: (text) => {
      greeting = text
    },
    close: () => closed(server, sockets),
  }
  return bad
}

function toSeen(raw: string, peer: string): SeenRequest {
  const [first = '', ...lines] = raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { method, path, headers, raw, peer, atMs: Date.now() }
}

/** A whole answer; Content-Length is right unless a header says otherwise. */
export function reply(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answerer {
  return (socket) => {
    const bytes = Buffer.from(body)
    const all: Record<string, string> = { 'Content-Length': String(bytes.length), Connection: 'close', ...headers }
    socket.end(Buffer.concat([Buffer.from(head(status, all), 'latin1'), bytes]))
  }
}

/** Status line and headers, with the blank line at the end. */
export function head(status: number, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Test\r\n${lines.join('')}\r\n`
}

/** The n-th request gets the n-th answer, all later ones the last. */
export function inTurn(...answerers: Answerer[]): Answerer {
  let next = 0
  return (socket, request) => {
    const answerer = answerers[Math.min(next, answerers.length - 1)]
    next += 1
    return answerer?.(socket, request)
  }
}

/** Sends `piece` every `everyMs` until the answer is ended or the other side goes away. */
export function trickle(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.writable && socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** What the proxy does to the bytes that flow back from the server. Named after the toxics of Toxiproxy. */
export type Fault =
  | { kind: 'none' }
  | { kind: 'down' }
  | { kind: 'latency'; ms: number }
  | { kind: 'bandwidth'; bytesPerSecond: number }
  | { kind: 'slow_close'; ms: number }
  | { kind: 'timeout' }
  | { kind: 'reset_peer'; afterBytes: number }
  | { kind: 'slicer'; bytes: number }
  | { kind: 'limit_data'; bytes: number }

export type FaultProxy = { port: number; set: (fault: Fault) => void; close: () => Promise<void> }

/** A TCP proxy on loopback that harms what comes back from `targetPort`. The fault holds for connections made after it was set. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let fault: Fault = { kind: 'none' }
  const server = createServer((client) => {
    const chosen = fault
    track(client, sockets)
    if (chosen.kind === 'down') return void client.resetAndDestroy()
    const upstream = connect(targetPort, '127.0.0.1')
    track(upstream, sockets)
    client.pipe(upstream)
    if (chosen.kind !== 'timeout') void carry(upstream, client, chosen)
    client.on('close', () => upstream.destroy())
  })
  const port = await listening(server)
  return {
    port,
    set: (next) => {
      fault = next
    },
    close: () => closed(server, sockets),
  }
}

async function carry(from: Socket, to: Socket, fault: Fault): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of from) {
      for (const piece of slices(chunk as Buffer, fault)) {
        const room = roomLeft(fault, bytes)
        to.write(piece.subarray(0, room))
        bytes += Math.min(piece.length, room)
        if (fault.kind === 'reset_peer' && bytes >= fault.afterBytes) return void to.resetAndDestroy()
        if (fault.kind === 'limit_data' && bytes >= fault.bytes) return void to.end()
        await pause(pauseMs(fault, piece.length))
      }
    }
    if (fault.kind === 'slow_close') await pause(fault.ms)
  } catch {
    // Either side went away; that is what faults are for.
  }
  to.end()
}

function slices(chunk: Buffer, fault: Fault): Buffer[] {
  const size =
    fault.kind === 'slicer' ? fault.bytes : fault.kind === 'bandwidth' ? Math.max(1, Math.ceil(fault.bytesPerSecond / 10)) : chunk.length
  return Array.from({ length: Math.ceil(chunk.length / size) }, (_, index) => chunk.subarray(index * size, (index + 1) * size))
}

function roomLeft(fault: Fault, bytes: number): number {
  if (fault.kind === 'reset_peer') return fault.afterBytes - bytes
  return fault.kind === 'limit_data' ? fault.bytes - bytes : Number.MAX_SAFE_INTEGER
}

function pauseMs(fault: Fault, bytes: number): number {
  if (fault.kind === 'latency') return fault.ms
  return fault.kind === 'bandwidth' ? (bytes * 1000) / fault.bytesPerSecond : 0
}

function pause(ms: number): Promise<void> | undefined {
  return ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms))
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a TCP port has an address with a port.
  return (server.address() as AddressInfo).port
}

async function closed(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
}
