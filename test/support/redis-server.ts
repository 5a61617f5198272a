import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A redis-server of one test run, on loopback, without persistence. */
export type RedisServer = {
  url: string
  port: number
  /** Stops answering while connections stay open, as a hung machine does. */
  pause(): void
  resume(): void
  /** Ends it at once, as an outage does. `startRedisServer({ port })` brings an empty one back at the same address. */
  stop(): Promise<void>
}

const FIRST_PORT = 15_000
const PORTS = 17_000
const MAX_ATTEMPTS = 20

/**
 * Starts a private redis-server on the given port, or a free one. It ends with this process at the latest.
 * @throws when redis-server is not installed or the given port is taken
 */
export async function startRedisServer(options: { port?: number; password?: string; folder?: string } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'svc-redis-'))
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = options.port ?? FIRST_PORT + Math.floor(Math.random() * PORTS)
    const child = spawn('redis-server', argumentsOf(port, options.password), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const isReady = await waitUntilReady(child)
    if (isReady) return supervise(child, { port, folder, password: options.password })
    if (options.port !== undefined) break
  }
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`redis-server did not start${options.port === undefined ? '' : ` on port ${options.port}`}`)
}

function argumentsOf(port: number, password: string | undefined): string[] {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no']
  return password === undefined ? fixed : [...fixed, '--requirepass', password]
}

async function waitUntilReady(child: ChildProcess): Promise<boolean> {
  const ended = once(child, 'exit').then(
    () => false,
    (error: unknown) => {
      throw new Error('redis-server cannot be run; install it (Debian: apt-get install redis-server)', { cause: error })
    },
  )
  if (child.stdout === null) return await ended
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<boolean>((resolve) => lines.on('line', (line) => line.includes('Ready to accept connections') && resolve(true)))
  return await Promise.race([ready, ended])
}

function supervise(
  child: ChildProcess,
  { port, folder, password }: { port: number; folder: string; password: string | undefined },
): RedisServer {
  const clean = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clean)
  return {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    port,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      process.removeListener('exit', clean)
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      clean()
      await ended
    },
  }
}
