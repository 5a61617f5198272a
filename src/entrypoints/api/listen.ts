import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Config } from '#platform/config/settings.ts'
import type { HttpServer } from '#platform/http/http-server.ts'

/** Open connections may finish what they are doing for this long, milliseconds. Source: spec, "Limits": a stop takes at most 10 s. */
const CLOSE_LIMIT_MS = 3000
const BUILT_WEB = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** The folder of the web interface: the named one, or the project's own when it is built. */
export function webDirOf({ WEB_DIR }: Pick<Config, 'WEB_DIR'>): string | undefined {
  return WEB_DIR ?? (existsSync(join(BUILT_WEB, 'index.html')) ? BUILT_WEB : undefined)
}

/** Opens the API's port. @returns the port, which differs from the setting when that is 0. @throws CannotRun when the port is not to be had */
export async function listen(app: HttpServer, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<number> {
  try {
    await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    throw explain(error, HOST, PORT)
  }
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : PORT
}

/** Refuses a port that is taken, before anything has been made for it. @throws CannotRun */
export async function requireFreePort({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  if (PORT === 0) return
  const probe = Fastify()
  await listen(probe, { HOST, PORT })
  await probe.close()
}

/** The address to open in a browser on the same machine. */
export function toBaseUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

function explain(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CannotRun(
      `Port ${port} on ${host} is taken by another program.`,
      `choose another port: --port ${port + 1}, or --port 0 for any free one`,
    )
  if (code === 'EACCES') return new CannotRun(`This user may not open port ${port}.`, 'choose a port above 1023, such as --port 8000')
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CannotRun(`${host} is not an address of this machine.`, 'choose one that is: --host 127.0.0.1, or 0.0.0.0 for all of them')
  return error
}

/** Closes the API; connections that are still busy after a while are cut. */
export async function closeApp(app: HttpServer): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_LIMIT_MS)
  await app.close()
  clearTimeout(timer)
}
