import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A door in front of the product that can be shut, as a service that restarts shuts it. */
export type Gate = { url: string; shut(): void; open(): void; close(): Promise<void> }

/** Passes connections on to `target`. While it is shut it keeps its port, which another program could take, and cuts whoever comes. */
export async function startGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isShut = false
  const server = createServer((socket) => {
    if (isShut) {
      socket.destroy()
      return
    }
    const onward = connect(Number(port), hostname)
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const shut = () => {
    isShut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut,
    open() {
      isShut = false
    },
    async close() {
      shut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
