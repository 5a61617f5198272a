import { readFileSync, readlinkSync } from 'node:fs'

/** A process told apart from a later one that was given the same number. */
export type ProcessIdentity = {
  pid: number
  /** Start time in clock ticks since boot and the boot's own id; undefined where /proc is absent. */
  startTicks?: string | undefined
  bootId?: string | undefined
}

/** Field 22 of /proc/<pid>/stat, counted from the field after the command name. Source: proc(5). */
const START_TICKS_AFTER_NAME = 19

/** The identity of a running process. Without /proc it is the number alone. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startTicks: readStartTicks(pid), bootId: readProc('sys/kernel/random/boot_id')?.trim() }
}

/** Whether the very process that was identified earlier still runs. */
export function isSameProcessAlive(earlier: ProcessIdentity): boolean {
  if (!isAlive(earlier.pid)) return false
  const now = identifyProcess(earlier.pid)
  if (earlier.startTicks === undefined || now.startTicks === undefined) return true
  return earlier.startTicks === now.startTicks && earlier.bootId === now.bootId
}

/** Whether a process of that number runs. One that belongs to somebody else counts; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    // 0 and negative numbers name groups of processes.
    if (!Number.isInteger(pid) || pid <= 0) return false
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return statFields(pid)?.[0] !== 'Z'
}

/** Name of the executable and working folder of a process; undefined when gone or not ours to see. */
export function describeProcess(pid: number): { executable: string; folder: string } | undefined {
  try {
    // "(deleted)" follows the path after an update replaced the file under a running process.
    const executable = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '')
    return { executable, folder: readlinkSync(`/proc/${pid}/cwd`) }
  } catch {
    return undefined
  }
}

function readStartTicks(pid: number): string | undefined {
  return statFields(pid)?.[START_TICKS_AFTER_NAME]
}

/** Fields of /proc/<pid>/stat after the command name, which may itself hold blanks and brackets. */
function statFields(pid: number): string[] | undefined {
  const stat = readProc(`${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return undefined
  }
}
