import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../bin/svc', import.meta.url))

/** A run of the command line, and what it has written so far. */
export type SvcProcess = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>
  /** Waits until `wanted` gives something other than undefined. @throws when the process ends first */
  until<Found>(wanted: (stdout: string) => Found | undefined | Promise<Found | undefined>): Promise<Found>
}

/** Starts `svc` with a clean environment: no setting of the machine, no settings file, and a worker that asks nobody for CVEs. */
export function startSvc(args: string[], env: Record<string, string> = {}): SvcProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'] ?? '', SVC_ENV_FILE: '', CVE_SYNC_INTERVAL_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async until(wanted) {
      for (;;) {
        const found = await wanted(stdout)
        if (found !== undefined) return found
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`svc ${args.join(' ')} ended first:\n${stdout}\n${stderr}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** Runs `svc` to its end. */
export async function runSvc(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const run = startSvc(args, env)
  const code = await run.ended
  return { code, stdout: run.stdout(), stderr: run.stderr() }
}

/** A loopback port that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Processes whose working folder lies below `folder`: the database server's. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isBelow(pid, folder))
}

function isBelow(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
  } catch {
    return false
  }
}
