import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identifyProcess, isSameProcessAlive, type ProcessIdentity } from '#platform/database/embedded/process-identity.ts'

/** How other commands on the same data folder reach the database of the running service. */
export type Runtime = { url: string; databaseUrl: string; ownerUrl: string | null }
type Stored = Runtime & { process: ProcessIdentity }

const NAME = 'runtime.json'

/** Says where the running service is; readable by its own user alone, since the addresses hold passwords. */
export function writeRuntimeFile(dataDir: string, runtime: Runtime): void {
  const draft = join(dataDir, `${NAME}.draft`)
  rmSync(draft, { force: true })
  writeFileSync(draft, JSON.stringify({ ...runtime, process: identifyProcess(process.pid) }), { mode: 0o600, flag: 'wx' })
  renameSync(draft, join(dataDir, NAME))
}

export function removeRuntimeFile(dataDir: string): void {
  rmSync(join(dataDir, NAME), { force: true })
}

/** The running service of a data folder; undefined when none runs, whatever a killed one has left behind. */
export function findRuntime(dataDir: string): (Runtime & { pid: number }) | undefined {
  const stored = readStored(join(dataDir, NAME))
  if (stored === undefined || !isSameProcessAlive(stored.process)) return undefined
  const { url, databaseUrl, ownerUrl, process } = stored
  return { url, databaseUrl, ownerUrl, pid: process.pid }
}

function readStored(path: string): Stored | undefined {
  try {
    const stored: Partial<Stored> = JSON.parse(readFileSync(path, 'utf8'))
    const { url, databaseUrl, ownerUrl, process } = stored
    if (typeof url !== 'string' || typeof databaseUrl !== 'string' || typeof process?.pid !== 'number') return undefined
    return { url, databaseUrl, ownerUrl: ownerUrl ?? null, process }
  } catch {
    return undefined
  }
}
