import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { DomainError } from '#kernel/errors.ts'
import { openBoundedLog } from './bounded-log.ts'
import { type ClusterFolder, openClusterFolder } from './cluster-folder.ts'
import { assertRoleName, DATABASE, ensureRoles, OWNER_ROLE, SUPERUSER } from './cluster-roles.ts'
import { type ClusterSecrets, openSecrets } from './cluster-secrets.ts'
import { lockFolder } from './folder-lock.ts'
import { prepareBinaries } from './native-binaries.ts'
import { type Postmaster, type Programs, runProgram, startPostmaster, stopOrphan } from './postmaster.ts'
import { keepRunning } from './restarting-server.ts'
import { serverSettings } from './server-settings.ts'

export type EmbeddedPostgres = {
  /** Connection of the role that owns the database: migrations only. */
  ownerUrl: string
  /** Connection of the application role; what it may do is granted by the migrations. */
  appUrl: string
  port: number
  firstStart: boolean
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  appRole?: string
  log: (line: string) => void
  /** Server settings that differ from `serverSettings()`. */
  settings?: Record<string, string>
}

const DEFAULT_APP_ROLE = 'svc_app'
const INVALID_PASSWORD = '28P01'

const DRAFT = 'cluster.draft-'

/** Only password logins over loopback. Written when the cluster is created. */
const HOST_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n'

/**
 * A PostgreSQL 16 server of our own under `<dataDir>/postgres`, created at the first start, listening on a free loopback port.
 *
 * Holds the data folder's lock until `stop`, and starts the server again should it end by itself. A server left behind by a killed process is ended first; a creation that was interrupted begins anew.
 * @throws data_dir_in_use, database_start_failed, setting_invalid (the role name)
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const appRole = options.appRole ?? DEFAULT_APP_ROLE
  assertRoleName(appRole)
  const lock = await lockFolder(dataDir)
  let server: Postmaster | undefined
  try {
    const folder = openClusterFolder(dataDir, options.log)
    const secrets = await openSecrets(dataDir, [SUPERUSER, OWNER_ROLE, appRole])
    const programs = {
      binaries: await prepareBinaries(folder.place, folder.runAs),
      runAs: folder.runAs,
      log: openBoundedLog(join(dataDir, 'postgres.log')),
    }
    if (await stopOrphan(folder.place, folder.cluster)) options.log('Stopped a database server that an earlier run had left behind.')
    const firstStart = !existsSync(folder.cluster)
    if (firstStart) await createCluster(folder, secrets, programs)
    const settings = { ...serverSettings(), ...options.settings }
    server = await startPostmaster(folder.cluster, settings, programs)
    server = await openToRoles(server, {
      secrets,
      appRole,
      options,
      restart: () => resetAndStart(folder.cluster, secrets, settings, programs),
    })
    const { port } = server
    const restart = async (): Promise<Postmaster> => {
      // Backends outlive a killed postmaster and hold its port and files.
      await stopOrphan(folder.place, folder.cluster)
      return await startPostmaster(folder.cluster, { ...settings, port: String(port) }, programs)
    }
    const running = keepRunning(server, restart, options.log)
    const stop = async (): Promise<void> => {
      await running.stop()
      await lock.release()
    }
    return toEmbedded({ port, firstStart, secrets, appRole, stop })
  } catch (error) {
    await server?.stop()
    await lock.release()
    throw error
  }
}

type RoleSetup = { secrets: ClusterSecrets; appRole: string; options: EmbeddedPostgresOptions; restart: () => Promise<Postmaster> }

/** Makes the roles; when the passwords on file are not the server's (the file was lost), sets the server's to those on file. */
async function openToRoles(server: Postmaster, { secrets, appRole, options, restart }: RoleSetup): Promise<Postmaster> {
  const passwords = { owner: secrets.passwordOf(OWNER_ROLE), app: secrets.passwordOf(appRole), appRole }
  const password = secrets.passwordOf(SUPERUSER)
  try {
    await ensureRoles({ port: server.port, password }, passwords, secrets.changed)
    return server
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INVALID_PASSWORD)) {
      await server.stop()
      throw error
    }
  }
  options.log('The stored passwords were not those of the database; setting them anew.')
  await server.stop()
  const restarted = await restart()
  await ensureRoles({ port: restarted.port, password }, passwords, true).catch(async (error: unknown) => {
    await restarted.stop()
    throw error
  })
  return restarted
}

/** The single-user mode asks for no password: it needs the right to read the files. */
async function resetAndStart(
  cluster: string,
  secrets: ClusterSecrets,
  settings: Record<string, string>,
  programs: Programs,
): Promise<Postmaster> {
  const statement = `alter role ${SUPERUSER} password ${pg.escapeLiteral(secrets.passwordOf(SUPERUSER))}\n`
  await runProgram(programs.binaries.postgres, ['--single', '-D', cluster, 'postgres'], programs, statement)
  return await startPostmaster(cluster, settings, programs)
}

/** Into a draft folder that is renamed at the end, so `cluster` is complete whenever it exists and no data is ever taken for a draft. */
async function createCluster({ cluster, place, runAs }: ClusterFolder, secrets: ClusterSecrets, programs: Programs): Promise<void> {
  await removeDrafts(place)
  // A name of its own: the initdb of a killed start may still be writing into the earlier one.
  const draft = join(place, `${DRAFT}${randomUUID()}`)
  const passwordFile = `${draft}.password`
  await writeFile(passwordFile, `${secrets.passwordOf(SUPERUSER)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    if (runAs !== undefined) await chown(passwordFile, runAs.uid, runAs.gid)
    await initialise(draft, passwordFile, programs)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await writeFile(join(draft, 'pg_hba.conf'), HOST_RULES)
  await rename(draft, cluster)
}

async function removeDrafts(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (name.startsWith(DRAFT)) await rm(join(place, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function initialise(draft: string, passwordFile: string, programs: Programs): Promise<void> {
  const initdb = async (locale: string): Promise<void> =>
    await runProgram(
      programs.binaries.initdb,
      [
        '-D',
        draft,
        '-U',
        SUPERUSER,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        `--locale=${locale}`,
        '--no-sync',
        '--no-instructions',
      ],
      programs,
    )
  try {
    await initdb('C.UTF-8')
  } catch (error) {
    // Systems without that locale sort the same under C; only upper and lower case beyond ASCII differ.
    if (!(error instanceof DomainError && /invalid locale/.test(error.message))) throw error
    await rm(draft, { recursive: true, force: true })
    await initdb('C')
  }
}

type Running = { port: number; firstStart: boolean; secrets: ClusterSecrets; appRole: string; stop: () => Promise<void> }

function toEmbedded({ port, firstStart, secrets, appRole, stop }: Running): EmbeddedPostgres {
  const urlOf = (role: string): string => `postgres://${role}:${secrets.passwordOf(role)}@127.0.0.1:${port}/${DATABASE}`
  return { ownerUrl: urlOf(OWNER_ROLE), appUrl: urlOf(appRole), port, firstStart, stop }
}
