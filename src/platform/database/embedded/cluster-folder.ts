import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DomainError } from '#kernel/errors.ts'
import { chooseUser, isPassableFor, type RunAs } from './unprivileged-user.ts'

/** The folder of one database server and the user it runs as. `cluster` exists once initdb has ended well, never before. */
export type ClusterFolder = { place: string; cluster: string; runAs: RunAs | undefined }

/** Folders of the system that outlive a restart and that every user may pass; the first that can be written is taken. */
const PASSABLE_PARENTS = ['/var/lib', '/var/tmp']

/**
 * `<dataDir>/postgres`, created when missing. As root, where the unprivileged user could not pass a folder above it (such as /root), the
 * folder is made elsewhere and `<dataDir>/postgres` is a link to it, so the data is found again however the folders are moved.
 * @throws database_start_failed when data exists in a place that the user can no longer reach
 */
export function openClusterFolder(dataDir: string, log: (line: string) => void): ClusterFolder {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const wanted = join(realpathSync(dataDir), 'postgres')
  const runAs = chooseUser(join(wanted, 'cluster'))
  const place = runAs === undefined ? makeFolder(wanted) : openReachable(wanted, runAs, log)
  return { place, cluster: join(place, 'cluster'), runAs }
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return realpathSync(path)
}

function openReachable(wanted: string, runAs: RunAs, log: (line: string) => void): string {
  letPass(dirname(wanted))
  const link = lstatSync(wanted, { throwIfNoEntry: false })
  const target = link === undefined ? undefined : existsSync(wanted) ? realpathSync(wanted) : undefined
  if (link !== undefined && target === undefined) {
    throw new DomainError(
      'database_start_failed',
      `${wanted} is a link to a folder that is gone. Put the database back there, or remove the link to begin with an empty one.`,
    )
  }
  const place = target ?? wanted
  if (isPassableFor(dirname(place), runAs)) return ownFolder(place, runAs)
  if (existsSync(join(place, 'cluster'))) {
    throw new DomainError(
      'database_start_failed',
      `The database in ${place} must run as user ${runAs.uid}, who may not pass a folder above it. Allow that (chmod o+x on the folders above), or move the data folder and set DATA_DIR.`,
    )
  }
  return placeElsewhere(wanted, runAs, log)
}

function placeElsewhere(wanted: string, runAs: RunAs, log: (line: string) => void): string {
  const name = `svc-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`
  for (const parent of PASSABLE_PARENTS) {
    const place = join(parent, name)
    try {
      if (!isPassableFor(parent, runAs)) continue
      mkdirSync(place, { mode: 0o700 })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) continue
      // Whoever may write to the parent could have put something there first.
      const found = lstatSync(place)
      if (!found.isDirectory() || (found.uid !== 0 && found.uid !== runAs.uid)) continue
    }
    ownFolder(place, runAs)
    if (existsSync(wanted))
      throw new DomainError(
        'database_start_failed',
        `${wanted} cannot be reached by user ${runAs.uid}. Remove it when it is empty, or choose another DATA_DIR.`,
      )
    symlinkSync(place, wanted)
    log(`The database is kept in ${place}: it runs as user ${runAs.uid}, who may not enter ${dirname(wanted)}.`)
    return place
  }
  throw new DomainError(
    'database_start_failed',
    `User ${runAs.uid} can enter neither ${dirname(wanted)} nor ${PASSABLE_PARENTS.join(' nor ')}. Choose another DATA_DIR.`,
  )
}

function ownFolder(path: string, { uid, gid }: RunAs): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const place = realpathSync(path)
  chownSync(place, uid, gid)
  return place
}

/** Root's own data folder is 0711 instead of 0700: others pass it to what they know by name, and list nothing. */
function letPass(dataDir: string): void {
  const { uid, mode } = statSync(dataDir)
  if (uid === 0 && (mode & 0o011) !== 0o011) chmodSync(dataDir, (mode & 0o777) | 0o011)
}
