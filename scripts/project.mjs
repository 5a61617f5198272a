import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, links resolved. These scripts run on Node 20: they prepare what the rest needs. */
export const ROOT = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))))

/** Flags of the Node that runs the service: those of the first line of bin/svc. */
export function readNodeFlags() {
  const [firstLine] = readFileSync(join(ROOT, 'bin', 'svc'), 'utf8').split('\n', 1)
  return firstLine.split(' ').filter((word) => word.startsWith('--'))
}

/** The program cannot go on as things stand; the message says what to do. Exit code 2. */
export class CannotRun extends Error {
  name = 'CannotRun'
}

/** One line on standard error: standard output belongs to the program that is started. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** @returns seconds since `startedMs` (of performance.now()) with one decimal, as text */
export function secondsSince(startedMs) {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}

/** Ends the process with the message of a `CannotRun` and exit code 2; anything else is a bug and keeps its stack. */
export function exitWith(error) {
  if (!(error instanceof CannotRun)) throw error
  say(error.message)
  process.exit(2)
}

/** Node 24 as installed with the project, or undefined. */
export function findProjectNode(root = ROOT) {
  const path = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(path) ? path : undefined
}

/**
 * Makes node_modules/.bin/node when npm left it out: npm 10 removes it while it discards the packages of the other systems, which carry a
 * program of the same name. Without it npm scripts run on whatever Node started npm.
 */
export function linkProjectNode(root = ROOT) {
  const node = findProjectNode(root)
  const link = join(root, 'node_modules', '.bin', 'node')
  if (node === undefined || existsSync(link)) return
  try {
    // A link whose target is gone is not seen by existsSync.
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link)
    symlinkSync(join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node'), link)
  } catch (error) {
    if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error
  }
}

/** Environment in which the project's own programs come first. */
export function projectEnvironment(root = ROOT) {
  return { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter) }
}

/** The search path without the project's own programs: what is on it survives the removal of node_modules. */
export function outsidePath(root = ROOT) {
  const own = join(root, 'node_modules') + sep
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !(folder + sep).startsWith(own) && !realFolder(folder).startsWith(own))
    .join(delimiter)
}

/** The first of the programs that is on the path, in full; undefined when none is. */
export function findProgram(names, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    for (const name of names) if (folder !== '' && existsSync(join(folder, name))) return join(folder, name)
  }
  return undefined
}

function realFolder(folder) {
  try {
    return realpathSync(folder) + sep
  } catch {
    return folder + sep
  }
}
