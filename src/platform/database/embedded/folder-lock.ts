import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { link, mkdir, readdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '#kernel/errors.ts'
import { identifyProcess, isSameProcessAlive, type ProcessIdentity } from './process-identity.ts'

/** A held lock. Releasing twice is harmless. */
export type FolderLock = { release(): Promise<void> }

const LOCK_NAME = /^lock\.(\d{1,9})$/
/** Two starters that saw each other both step back; each waits a random part of this, milliseconds. Assumption: docs/decisions. */
const STEP_BACK_MS = 50
const MAX_STEP_BACKS = 20
/** A lock file without content belongs to a writer that is in between creating and writing it, for at most this long, milliseconds. */
const UNWRITTEN_GRACE_MS = 5000

/**
 * Takes the folder for this process until `release` or the end of the process. A lock whose holder died is replaced.
 *
 * Holders are files `lock.<n>`, made by hard link so that they are never seen half written. A newcomer takes the next number and looks again:
 * of two holders the later one must see the earlier one, so two never both stay. Only a holder removes the files of the dead.
 * @throws data_dir_in_use with the process that holds it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let attempt = 0; attempt < MAX_STEP_BACKS; attempt++) {
    refuseWhenHeld(folder)
    const own = await claimNextNumber(folder)
    if (own === undefined) continue
    const others = readLocks(folder).filter(({ name }) => name !== own)
    if (!others.some(isHeld)) {
      for (const { name } of others) unlinkQuietly(join(folder, name))
      return holdUntilReleased(join(folder, own))
    }
    await unlink(join(folder, own))
    await sleep(Math.random() * STEP_BACK_MS)
  }
  refuseWhenHeld(folder)
  throw new DomainError('data_dir_in_use', `The data folder ${folder} is being taken by several processes at once. Start one only.`)
}

type Lock = { name: string; number: number; holder: ProcessIdentity | undefined; ageMs: number }

function refuseWhenHeld(folder: string): void {
  const held = readLocks(folder).find(isHeld)
  if (held === undefined) return
  const who = held.holder === undefined ? 'another process' : `process ${held.holder.pid}`
  throw new DomainError(
    'data_dir_in_use',
    `The data folder ${folder} is in use by ${who}. Stop it first${held.holder === undefined ? '' : ` (kill ${held.holder.pid})`}, or choose another folder with DATA_DIR.`,
  )
}

function isHeld({ holder, ageMs }: Lock): boolean {
  return holder === undefined ? ageMs < UNWRITTEN_GRACE_MS : isSameProcessAlive(holder)
}

function readLocks(folder: string): Lock[] {
  const locks: Lock[] = []
  for (const name of readdirSync(folder)) {
    const number = LOCK_NAME.exec(name)?.[1]
    if (number === undefined) continue
    try {
      const path = join(folder, name)
      locks.push({
        name,
        number: Number(number),
        ageMs: Date.now() - statSync(path).mtimeMs,
        holder: parseHolder(readFileSync(path, 'utf8')),
      })
    } catch (error) {
      // Released between the listing and the reading.
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
  return locks
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startTicks, bootId } = JSON.parse(text)
    return Number.isInteger(pid) ? { pid, startTicks, bootId } : undefined
  } catch {
    return undefined
  }
}

/** Makes the lock file after the highest one. @returns its name, or undefined when somebody else was faster */
async function claimNextNumber(folder: string): Promise<string | undefined> {
  const numbers = (await readdir(folder)).map((name) => Number(LOCK_NAME.exec(name)?.[1] ?? 0))
  const name = `lock.${Math.max(0, ...numbers) + 1}`
  const draft = join(folder, `lock.draft-${randomUUID()}`)
  const content = JSON.stringify(identifyProcess(process.pid))
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, join(folder, name))
    return name
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined
    if (!hasCode(error, 'EPERM') && !hasCode(error, 'ENOTSUP') && !hasCode(error, 'ENOSYS')) throw error
    return await createExclusively(folder, name, content)
  } finally {
    await unlink(draft)
  }
}

/** For file systems without hard links. */
async function createExclusively(folder: string, name: string, content: string): Promise<string | undefined> {
  try {
    await writeFile(join(folder, name), content, { flag: 'wx', mode: 0o600 })
    return name
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined
    throw error
  }
}

function holdUntilReleased(path: string): FolderLock {
  const onExit = (): void => unlinkQuietly(path)
  process.once('exit', onExit)
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      process.removeListener('exit', onExit)
      unlinkQuietly(path)
    },
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Gone with its folder.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
