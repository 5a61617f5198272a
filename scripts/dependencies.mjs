import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotRun, findProgram, linkProjectNode, outsidePath, secondsSince } from './project.mjs'

const STAMP = 'node_modules/.svc-install'
/** npm's record of what it installed, written at the end of an installation. */
const INSTALLED = 'node_modules/.package-lock.json'
const DECLARED = ['package-lock.json', 'package.json', 'web/package.json']
/** How much of npm's own words a failure repeats, lines. */
const QUOTED_LINES = 15

/** Installs what package-lock.json lists (development tools included: the web is built here) unless it is installed already. @throws CannotRun */
export function installDependencies(root, say) {
  const digest = digestOf(root)
  if (readText(join(root, STAMP)) !== digest) {
    if (!isInstalled(root)) runNpmCi(root, say)
    writeStamp(root, digest)
  }
  linkProjectNode(root)
}

/** Whether node_modules holds each package at the version of package-lock.json, those for this system included. */
export function isInstalled(root) {
  const installed = readJson(join(root, INSTALLED))?.packages
  const lock = readJson(join(root, 'package-lock.json'))?.packages
  if (installed === undefined || lock === undefined || !isLockUpToDate(root, lock)) return false
  return Object.entries(lock).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link === true) return true
    const found = installed[path]
    if (found === undefined) return wanted.optional === true && !isMadeForThisSystem(wanted)
    return (
      found.version === wanted.version &&
      found.integrity === wanted.integrity &&
      (existsSync(join(root, path)) || (found.optional === true && !isMadeForThisSystem(wanted)))
    )
  })
}

function isLockUpToDate(root, lock) {
  return [
    ['', 'package.json'],
    ['web', 'web/package.json'],
  ].every(([key, file]) => {
    const declared = readJson(join(root, file)) ?? {}
    return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) =>
      isEqual(declared[kind] ?? {}, lock[key]?.[kind] ?? {}),
    )
  })
}

function isEqual(one, two) {
  const names = Object.keys(one)
  return names.length === Object.keys(two).length && names.every((name) => one[name] === two[name])
}

/** A package that names its system and names this one. npm 10 is known to leave such native parts out when the lock was written elsewhere. */
export function isMadeForThisSystem({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false
  return [
    [os, process.platform],
    [cpu, process.arch],
    [libc, libcName()],
  ].every(([allowed, ours]) => allowed === undefined || [allowed].flat().includes(ours))
}

function libcName() {
  return existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-')) ? 'musl' : 'glibc'
}

function runNpmCi(root, say) {
  const started = performance.now()
  say('Installing the dependencies (npm ci) ...')
  const { command, args } = findNpm(root)
  const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, signal, error, stdout, stderr } = spawnSync(command, [...args, ...flags], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PATH: outsidePath(root) },
  })
  if (signal === 'SIGINT' || signal === 'SIGTERM') throw new CannotRun('The installation was interrupted. Start again to complete it.')
  if (status !== 0) {
    const words = [error?.message, ...`${stdout ?? ''}\n${stderr ?? ''}`.split('\n')].filter((line) => line?.trim())
    throw new CannotRun(
      [
        ...words.slice(0, QUOTED_LINES),
        `The dependencies could not be installed: "npm ci" failed in ${root}. Check the network and the free disk space, run "npm ci" there to see it all, then start again.`,
      ].join('\n'),
    )
  }
  const missing = missingNativeParts(root)
  if (missing.length > 0) {
    throw new CannotRun(
      `npm left out the parts for this system: ${missing.join(', ')}. Remove ${join(root, 'node_modules')} and start again with npm 11 (npx -y npm@11 ci).`,
    )
  }
  say(`Installed the dependencies in ${secondsSince(started)} s.`)
}

/** Packages for this system that package-lock.json lists and node_modules does not hold. */
export function missingNativeParts(root) {
  const lock = readJson(join(root, 'package-lock.json'))?.packages ?? {}
  return Object.keys(lock).filter(
    (path) => lock[path].optional === true && isMadeForThisSystem(lock[path]) && !existsSync(join(root, path)),
  )
}

/** npm that does not live in the folder it is about to replace, run by a Node that does not either. */
function findNpm(root) {
  const path = outsidePath(root)
  const npm = findProgram(['npm'], path)
  if (npm !== undefined) return { command: npm, args: [] }
  const [node, cli] = [findProgram(['node'], path), process.env.npm_execpath]
  if (node !== undefined && cli !== undefined && existsSync(cli)) return { command: node, args: [cli] }
  throw new CannotRun('npm was not found. Install Node.js 20 or newer with npm, then start again.')
}

function digestOf(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of DECLARED) hash.update(`\0${file}\0`).update(readText(join(root, file)) ?? '')
  return hash.digest('hex')
}

/** An installation that cannot be written to (an image) is checked again at each start, which takes some 20 ms. */
function writeStamp(root, digest) {
  try {
    writeFileSync(join(root, STAMP), digest)
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error
  }
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
