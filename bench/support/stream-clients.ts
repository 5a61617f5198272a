import { connect } from 'node:net'

// Many readers of one stream, in a process of their own so that they share no event loop with what is measured.
// Messages from the parent: { open: { port, path, token, clients } }, { expect: bytes }, { close: true }.

type Order = { open?: { port: number; path: string; token: string; clients: number }; expect?: number; close?: boolean }
/** Sockets opened at once: below the backlog of the server. */
const AT_ONCE = 100

let sockets: { bytes: number; headed: boolean; end(): void }[] = []
let expected = Number.POSITIVE_INFINITY
let done = 0

const say = (message: object) => void process.send?.(message)

async function openOne(port: number, path: string, token: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  const reader = { bytes: 0, headed: false, end: () => void socket.destroy() }
  const headed = Promise.withResolvers<void>()
  socket.on('data', (chunk: Buffer) => {
    if (!reader.headed) {
      if (!chunk.includes('200 OK')) headed.reject(new Error(chunk.toString()))
      reader.headed = true
      // The greeting may come with the head or after it; what counts are the bytes after `expect`.
      headed.resolve()
      return
    }
    const before = reader.bytes
    reader.bytes += chunk.length
    if (before < expected && reader.bytes >= expected) {
      done += 1
      if (done === sockets.length) say({ delivered: sockets.length })
    }
  })
  socket.on('error', headed.reject)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await headed.promise
  sockets.push(reader)
}

async function open({ port, path, token, clients }: NonNullable<Order['open']>): Promise<void> {
  let left = clients
  const opener = async () => {
    while (left-- > 0) await openOne(port, path, token)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, opener))
  say({ opened: sockets.length })
}

process.on('message', (order: Order) => {
  if (order.open !== undefined) void open(order.open).catch((error: Error) => say({ failed: error.message }))
  if (order.expect !== undefined) {
    expected = order.expect
    done = 0
    for (const socket of sockets) socket.bytes = 0
    say({ ready: true })
  }
  if (order.close === true) {
    for (const socket of sockets) socket.end()
    sockets = []
    say({ closed: true })
  }
})
