import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { describeProcess, identifyProcess, isSameProcessAlive } from '#platform/database/embedded/process-identity.ts'

const PARENT = join(tmpdir(), `svc-test-${process.getuid?.() ?? 'user'}`)
const SERVERS = ['postgres', 'redis-server', 'redis-check-rdb']

/** A temporary folder for the servers of this run. What killed runs left behind (servers and folders) is removed first. */
export function openRunFolder(): { folder: string; remove(): void } {
  mkdirSync(PARENT, { recursive: true, mode: 0o711 })
  sweep()
  const folder = join(PARENT, `run-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o711 })
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(identifyProcess(process.pid)))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function sweep(): void {
  for (const name of readdirSync(PARENT)) {
    const folder = join(PARENT, name)
    if (isOwned(folder)) continue
    endServersIn(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function isOwned(folder: string): boolean {
  try {
    return isSameProcessAlive(JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')))
  } catch {
    return false
  }
}

/** Servers are known by their working folder, so no number of a process that ended long ago is ever trusted. */
function endServersIn(folder: string): void {
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? describeProcess(Number(name)) : undefined
    if (found === undefined || !found.folder.startsWith(folder + sep) || !SERVERS.includes(basename(found.executable))) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // Ended with its parent.
    }
  }
}
