import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DomainError } from '#kernel/errors.ts'

/** The user a database server runs as when the service itself runs as root. */
export type RunAs = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, and its initdb refuses a user that /etc/passwd does not name. */
const UNPRIVILEGED_USER = 'nobody'

/**
 * Undefined for a plain user, who runs the server himself. As root: the owner of the data that exists, else `nobody`.
 * @throws database_start_failed when root finds no such user
 */
export function chooseUser(existingData: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers()
  const owner = ownerOf(existingData)
  const found =
    (owner === undefined || owner === 0 ? undefined : users.find(({ uid }) => uid === owner)) ??
    users.find(({ name }) => name === UNPRIVILEGED_USER)
  if (found !== undefined) return { uid: found.uid, gid: found.gid }
  throw new DomainError(
    'database_start_failed',
    `PostgreSQL cannot run as root, and this system has no user "${UNPRIVILEGED_USER}". Start the service as a plain user, or set DATABASE_URL.`,
  )
}

/** Whether the user may pass every folder above `path` and read `path` itself (a folder: pass it). */
export function isReachableFor(path: string, user: RunAs): boolean {
  const own = statSync(path)
  return hasRight(own, user, own.isDirectory() ? 1 : 5) && isPassableFor(dirname(path), user)
}

/** Whether the user may pass the folder and every folder above it. */
export function isPassableFor(folder: string, user: RunAs): boolean {
  return hasRight(statSync(folder), user, 1) && (dirname(folder) === folder || isPassableFor(dirname(folder), user))
}

/** `bits` as in a mode: 4 read, 2 write, 1 execute or pass. */
function hasRight({ uid, gid, mode }: Stats, user: RunAs, bits: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

function readUsers(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid
}
