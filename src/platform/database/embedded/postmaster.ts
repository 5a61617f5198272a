import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '#kernel/errors.ts'
import type { BoundedLog } from './bounded-log.ts'
import type { NativeBinaries } from './native-binaries.ts'
import { describeProcess, isAlive } from './process-identity.ts'
import { toArguments } from './server-settings.ts'
import type { RunAs } from './unprivileged-user.ts'

/** What every program of the server needs to be started with. */
export type Programs = { binaries: NativeBinaries; runAs: RunAs | undefined; log: BoundedLog }
export type Postmaster = {
  port: number
  pid: number
  /** Settles when the server has ended, by `stop` or by itself. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Ports to try, below the range from which the system serves outgoing connections. Source: Linux, ip_local_port_range. */
const FIRST_PORT = 15_000
const LAST_PORT = 32_000
const MAX_ATTEMPTS = 40
/** Recovery after a crash may have to read all of max_wal_size, milliseconds. Assumption: 4 GB on a slow disk. */
const READY_TIMEOUT_MS = 600_000
const POLL_MS = 10
/** Waits of a stop: orderly, then at once, then none, milliseconds. Assumption: a checkpoint of full buffers on a slow disk. */
const FAST_STOP_MS = 20_000
const IMMEDIATE_STOP_MS = 5000
/** What an error message can quote of a program's output, characters. */
const LAST_WORDS_CHARACTERS = 2000

const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/

/**
 * Starts the server on a free loopback port, or on the one that `settings` name, and waits until it takes connections.
 * @throws database_start_failed with the server's last words
 */
export async function startPostmaster(cluster: string, settings: Record<string, string>, programs: Programs): Promise<Postmaster> {
  let lastWords = ''
  const attempts = settings['port'] === undefined ? MAX_ATTEMPTS : 1
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = Number(settings['port'] ?? FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT)))
    const args = ['-D', cluster, ...toArguments({ ...settings, port: String(port) })]
    const child = spawnProgram(programs.binaries.postgres, args, programs)
    let said = ''
    child.stdin?.end()
    child.stdout?.resume()
    child.once('error', (error) => {
      said = error.message
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      programs.log.write(chunk)
      said = (said + chunk.toString('utf8')).slice(-LAST_WORDS_CHARACTERS)
    })
    if (await isReady(child, cluster)) return superviseUntilStopped(child, port)
    lastWords = said.trim()
    if (!PORT_TAKEN.test(lastWords)) break
  }
  throw new DomainError(
    'database_start_failed',
    `The embedded PostgreSQL did not start: ${lastWords === '' ? 'it said nothing' : lastWords}`,
  )
}

/**
 * Ends a server of this folder that outlived the process that had started it, and whatever single processes are left of one that was killed.
 * Call it under the folder's lock only.
 * @returns whether there was a server
 */
export async function stopOrphan(place: string, cluster: string): Promise<boolean> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = Number(readLines(pidFile)[0])
  const found = isAlive(pid) ? describeProcess(pid) : undefined
  const isOrphan = found !== undefined && basename(found.executable) === 'postgres' && found.folder === cluster
  if (isOrphan) await endProcess(pid, async (limitMs) => await hasGone(pid, limitMs))
  for (const leftover of findServerProcesses(place)) {
    if (!sendSignal(leftover, 'SIGKILL')) continue
    await hasGone(leftover, IMMEDIATE_STOP_MS)
  }
  // The number may belong to somebody else by now, or to a dead process that nobody has reaped. PostgreSQL would take either for a running
  // server and refuse to start; after the search above it is known that there is none.
  rmSync(pidFile, { force: true })
  return isOrphan
}

async function hasGone(pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (isAlive(pid) && Date.now() < deadline) await sleep(POLL_MS)
  return !isAlive(pid)
}

/** A busy backend outlives its killed postmaster until its query ends, and would write into files that a new server has opened. */
function findServerProcesses(place: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const found = Number.isInteger(pid) ? describeProcess(pid) : undefined
      return found !== undefined && basename(found.executable) === 'postgres' && found.folder.startsWith(place + sep)
    })
}

/** Runs a program of the server to its end, with `input` on its standard input. @throws database_start_failed with its last words */
export async function runProgram(program: string, args: readonly string[], programs: Programs, input = ''): Promise<void> {
  const child = spawnProgram(program, args, programs)
  let said = ''
  const collect = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-LAST_WORDS_CHARACTERS)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [code] = await once(child, 'close').catch((error: unknown) => {
    said = String(error)
    return [undefined]
  })
  if (code !== 0) throw new DomainError('database_start_failed', `${basename(program)} failed: ${said.trim()}`)
}

function spawnProgram(program: string, args: readonly string[], { binaries, runAs }: Programs): ChildProcess {
  const libraries = binaries.libraryPath === undefined ? {} : { LD_LIBRARY_PATH: binaries.libraryPath }
  return spawn(program, args, {
    // A session of its own: Ctrl+C in the terminal must reach the service alone, which stops the database last.
    detached: true,
    // PG* variables of the caller's shell would change what the server does.
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...libraries },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...runAs,
  })
}

async function isReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const ended = endOf(child)
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    const { 0: pid, 7: status } = readLines(join(cluster, 'postmaster.pid'))
    if (Number(pid) === child.pid && status?.trim() === 'ready') return true
    if (await Promise.race([ended.then(() => true), sleep(POLL_MS, false)])) return false
  }
  child.kill('SIGQUIT')
  await ended
  return false
}

function superviseUntilStopped(child: ChildProcess, port: number): Postmaster {
  const pid = child.pid ?? 0
  const ended = endOf(child)
  // A process that ends without having stopped its database asks it to end in order, and does not wait.
  const onExit = (): void => void child.kill('SIGINT')
  process.once('exit', onExit)
  void ended.then(() => process.removeListener('exit', onExit))
  return {
    port,
    pid,
    ended,
    async stop() {
      await endProcess(pid, async (limitMs) => {
        const timer = new AbortController()
        const isOver = await Promise.race([ended.then(() => true), sleep(limitMs, false, { signal: timer.signal })])
        timer.abort()
        return isOver
      })
    },
  }
}

/** Fast shutdown, then immediate, then none: committed data is safe in each case. Source: PostgreSQL, "Shutting Down the Server". */
async function endProcess(pid: number, hasEnded: (limitMs: number) => Promise<boolean>): Promise<void> {
  if (await hasEnded(0)) return
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const) {
    if (!sendSignal(pid, signal)) return
    if (await hasEnded(limitMs)) return
  }
}

/** @returns false when the process is gone */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Settles when the process has ended or could not be started at all. */
async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => {})
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
