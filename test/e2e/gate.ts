import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A door in front of the product that can be shut, as a service that restarts shuts it. */
export type Gate = { url: string; shut(): Promise<void>; open(): Promise<void> }

/** Passes connections on to `target`, on a port of its own that it keeps while it is shut. */
export async function startGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let server: Server
  let ownPort = 0
  const open = async () => {
    server = createServer((socket) => {
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
    await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve))
    ownPort = (server.address() as AddressInfo).port
  }
  await open()
  return {
    url: `http://127.0.0.1:${ownPort}`,
    open,
    async shut() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
