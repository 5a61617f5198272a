import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTempFolder, type TempFolder } from '#test/support/temp-folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './process-identity.ts'

/** Small and without syncing to disk: these tests are about starting and stopping. */
const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }

let temp: TempFolder
let folder: string
let dataDir: string
const running: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  temp = makeTempFolder('blank in the path')
  folder = temp.folder
  dataDir = join(folder, 'data dir')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of running.splice(0)) await server.stop()
  temp.remove()
})

async function start(dir = dataDir, lines: string[] = []): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: dir, log: (line) => void lines.push(line), settings: SETTINGS })
  running.push(server)
  return server
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** A process of its own that starts the server, so that it can be killed. @returns it, and the postmaster's pid */
async function startInChild(): Promise<{ child: ChildProcess; pid: number }> {
  const file = JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))
  const options = `{ dataDir: ${JSON.stringify(dataDir)}, settings: ${JSON.stringify(SETTINGS)}, log() {} }`
  const code = `const { startEmbeddedPostgres } = await import(${file}); const s = await startEmbeddedPostgres(${options}); console.log(s.appUrl); process.stdin.once('data', () => process.exit(0))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: process.cwd() })
  children.push(child)
  await once(child.stdout, 'data')
  return { child, pid: await postmasterPid() }
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

test('the first start makes the roles, the second finds the data, in a path with blanks', async () => {
  const first = await start()
  expect(first.firstStart).toBe(true)
  await ask(first.ownerUrl, "create table kept as select 'yes' as answer")
  await first.stop()
  const second = await start()
  expect(second.firstStart).toBe(false)
  expect(await ask(second.ownerUrl, 'select answer from kept')).toBe('yes')
  expect(await ask(second.appUrl, 'select current_user')).toBe('svc_app')
})

test('neither role is more than it needs to be', async () => {
  const { ownerUrl, appUrl } = await start()
  const flags =
    'select bool_or(rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) from pg_roles where rolname = current_user'
  expect(await ask(ownerUrl, flags)).toBe(false)
  expect(await ask(appUrl, flags)).toBe(false)
  expect(await ask(ownerUrl, 'select rolname from pg_database join pg_roles r on r.oid = datdba where datname = current_database()')).toBe(
    'svc',
  )
  await expect(ask(appUrl, 'create table intruder (a int)')).rejects.toThrow(/permission denied|no schema/)
  await expect(ask(appUrl.replace(/svc$/, 'postgres'), 'select 1')).rejects.toThrow('permission denied for database')
  await ask(ownerUrl, 'create function secret() returns int language sql as $$ select 1 $$')
  await expect(ask(appUrl, 'select public.secret()')).rejects.toThrow('permission denied')
  await expect(ask(appUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
})

test('it listens on loopback alone, without a socket file, and keeps writes durable by default', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log() {} })
  running.push(server)
  expect(await ask(server.ownerUrl, 'show listen_addresses')).toBe('127.0.0.1')
  const socketFolder = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[4]
  expect(socketFolder).toBe('')
  expect(await ask(server.ownerUrl, 'show synchronous_commit')).toBe('on')
  expect(await ask(server.ownerUrl, 'show fsync')).toBe('on')
  expect(await ask(server.ownerUrl, 'show server_encoding')).toBe('UTF8')
  expect(await ask(server.ownerUrl, 'show server_version')).toMatch(/^16\./)
})

test('secrets are readable for their owner alone, and what others keep in the file stays', async () => {
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secrets.json'), '{"session_key":"kept"}')
  await (await start()).stop()
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(Object.keys(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).sort()).toEqual([
    'postgres',
    'session_key',
    'svc',
    'svc_app',
  ])
  expect((await stat(join(dataDir, 'postgres/cluster'))).mode & 0o077).toBe(0)
})

test('lost passwords are set anew and the data stays', async () => {
  const first = await start()
  await ask(first.ownerUrl, 'create table kept as select 1 as a')
  await first.stop()
  await rm(join(dataDir, 'secrets.json'))
  const lines: string[] = []
  const second = await start(dataDir, lines)
  expect(lines.join()).toContain('setting them anew')
  expect(await ask(second.ownerUrl, 'select a from kept')).toBe(1)
  expect(await ask(second.appUrl, 'select current_user')).toBe('svc_app')
})

test('a secrets file that is not JSON is refused without quoting it, and the folder is free again', async () => {
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secrets.json'), 'hunter2')
  const refused = await start().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'database_start_failed' })
  expect(String(refused)).not.toContain('hunter2')
  await rm(join(dataDir, 'secrets.json'))
  await start()
})

test('a second start of the same folder is refused and the first one is not harmed', async () => {
  const first = await start()
  await expect(start()).rejects.toMatchObject({ code: 'data_dir_in_use' })
  expect(await ask(first.appUrl, 'select 1')).toBe(1)
})

test('a start through a symbolic link finds the same folder in use', async () => {
  const first = await start()
  await symlink(dataDir, join(folder, 'link'))
  await expect(start(join(folder, 'link'))).rejects.toMatchObject({ code: 'data_dir_in_use' })
  await first.stop()
  expect((await start(join(folder, 'link'))).firstStart).toBe(false)
})

test('a server whose parent was killed is ended in order, then started anew with its data', async () => {
  const { child, pid } = await startInChild()
  await kill(child)
  expect(isAlive(pid)).toBe(true)
  const lines: string[] = []
  const server = await start(dataDir, lines)
  expect(isAlive(pid)).toBe(false)
  expect(lines.join()).toContain('left behind')
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('not properly shut down')
  expect(await ask(server.appUrl, 'select 1')).toBe(1)
})

test('a server that was killed itself leaves a file that does not block the next start', async () => {
  const { child, pid } = await startInChild()
  process.kill(pid, 'SIGKILL')
  await kill(child)
  expect(await ask((await start()).appUrl, 'select 1')).toBe(1)
})

test('a process that has the number of an earlier server is left alone and does not block', async () => {
  await (await start()).stop()
  const bystander = spawn('sleep', ['60'])
  children.push(bystander)
  await writeFile(join(dataDir, 'postgres/cluster/postmaster.pid'), `${bystander.pid}\n${join(dataDir, 'postgres/cluster')}\n`)
  await start()
  expect(isAlive(bystander.pid ?? 0)).toBe(true)
})

test('a process that ends without stopping its server takes it along', async () => {
  const { child, pid } = await startInChild()
  child.stdin?.end('\n')
  await until(async () => child.exitCode === 0 && !isAlive(pid))
})

test('a creation that was killed in the middle is begun anew', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', startCode()])
  children.push(child)
  await until(async () => (await namesUnder(join(dataDir, 'postgres'))).some((name) => /^cluster\.draft.*base$/.test(name)))
  await kill(child)
  const server = await start()
  expect(server.firstStart).toBe(true)
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['cluster'])
  expect(await ask(server.appUrl, 'select 1')).toBe(1)
})

test.runIf(process.getuid?.() === 0)(
  'as root, below a folder that only root may pass, the database is kept elsewhere and found again',
  async () => {
    await chmod(folder, 0o700)
    const lines: string[] = []
    const first = await start(dataDir, lines)
    const place = await readlink(join(dataDir, 'postgres'))
    try {
      expect(lines.join()).toContain(place)
      await ask(first.ownerUrl, 'create table kept as select 1 as a')
      await first.stop()
      const second = await start()
      expect(await ask(second.ownerUrl, 'select a from kept')).toBe(1)
      await second.stop()
      await chmod(folder, 0o711)
      expect((await start()).firstStart).toBe(false)
    } finally {
      for (const server of running.splice(0)) await server.stop()
      await rm(place, { recursive: true, force: true })
    }
  },
)

test('a role name that is not a plain identifier is refused', async () => {
  for (const appRole of ['svc', 'postgres', 'pg_x', 'x; drop', 'Ä', '']) {
    await expect(startEmbeddedPostgres({ dataDir, appRole, log() {} })).rejects.toMatchObject({ code: 'setting_invalid' })
  }
})

function startCode(): string {
  const file = JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))
  return `const { startEmbeddedPostgres } = await import(${file}); await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} })`
}

async function namesUnder(path: string): Promise<string[]> {
  return await readdir(path, { recursive: true }).catch(() => [])
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a server that is killed is started again on the same port, with what was committed; one that is stopped stays so', async () => {
  const lines: string[] = []
  const server = await start(dataDir, lines)
  await ask(server.ownerUrl, 'create table kept (n int)')
  for (let round = 1; round <= 3; round++) {
    await ask(server.ownerUrl, `insert into kept values (${round})`)
    const killed = await postmasterPid()
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(async () => await ask(server.ownerUrl, 'select count(*)::int from kept').catch(() => 0), { timeout: 20_000 })
      .toBe(round)
    expect(await postmasterPid()).not.toBe(killed)
  }
  expect(lines.filter((line) => line === 'The database is running again.')).toHaveLength(3)
  await server.stop()
  await expect(ask(server.ownerUrl, 'select 1')).rejects.toThrow()
  expect(lines.filter((line) => line === 'The database has ended by itself; starting it again.')).toHaveLength(3)
})
