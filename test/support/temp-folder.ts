import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { describeProcess, identifyProcess, isSameProcessAlive } from '#platform/database/embedded/process-identity.ts'

export type TempFolder = { folder: string; remove(): void }

const PARENT = join(tmpdir(), `svc-test-${process.getuid?.() ?? 'user'}`)
const OWNER_FILE = 'owner.json'
const SERVERS = ['postgres', 'redis-server', 'redis-check-rdb']
/** A folder without an owner is one that is just being made, for at most this long, milliseconds. */
const OWNERLESS_GRACE_MS = 60_000

/**
 * A temporary folder that ends with this process at the latest: what a killed one leaves, the next run of the tests removes, servers included.
 *
 * The database server's own user may pass it. As root the server runs as somebody else, and below a folder that only root may pass it would
 * keep its data outside.
 */
export function makeTempFolder(prefix: string): TempFolder {
  mkdirSync(PARENT, { recursive: true, mode: 0o711 })
  const folder = mkdtempSync(join(PARENT, `${prefix}-`))
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)))
  chmodSync(folder, 0o711)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) }
}

/** Ends the servers and removes the folders of processes that are gone. */
export function sweepTempFolders(): void {
  mkdirSync(PARENT, { recursive: true, mode: 0o711 })
  for (const name of readdirSync(PARENT)) {
    const folder = join(PARENT, name)
    if (isInUse(folder)) continue
    endServersIn(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function isInUse(folder: string): boolean {
  try {
    return isSameProcessAlive(JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')))
  } catch {
    const made = statSync(folder, { throwIfNoEntry: false })
    return made !== undefined && Date.now() - made.mtimeMs < OWNERLESS_GRACE_MS
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
