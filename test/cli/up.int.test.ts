import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort, processesIn, runSvc, type SvcProcess, startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'

/** Everything about one data folder, in order: the first start, the second, a stop, a kill. */
const place = makeTempFolder('svc-up')
const env = { DATA_DIR: place.folder }
let port: number
let url: string
let up: SvcProcess

function start(...more: string[]): SvcProcess {
  up = startSvc(['up', '--port', String(port), '--no-worker', ...more], env)
  return up
}

async function untilReady(run: SvcProcess): Promise<void> {
  await run.until(async () => {
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })
}

async function logIn(password: string): Promise<Response> {
  return await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body: new URLSearchParams({ username: 'admin', password }) })
}

beforeAll(async () => {
  port = await findFreePort()
  url = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  up.child.kill('SIGINT')
  await up.ended
  place.remove()
})

describe('the first start', () => {
  let password: string

  test('becomes ready and prints the address and a generated password in a box', async () => {
    const run = start()
    await untilReady(run)
    password = await run.until((stdout) => /Password +(\S+)/.exec(stdout)?.[1])
    expect(password).toMatch(/^[A-Za-z0-9]{20}$/)
    expect(run.stdout()).toContain(`URL       ${url}`)
    expect(run.stdout()).toContain('User      admin')
    expect(run.stderr()).not.toContain(password)
  })

  test('lets the administrator in with that password, who sees the public feeds', async () => {
    const answer = await logIn(password)
    expect(answer.status).toBe(200)
    const { access_token } = (await answer.json()) as { access_token: string }
    const feeds = await fetch(`${url}/api/v1/feeds`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(((await feeds.json()) as { total: number }).total).toBeGreaterThan(5)
    expect((await logIn('not the password')).status).toBe(401)
  })

  test('keeps secrets readable by its own user alone', () => {
    for (const name of ['runtime.json', 'secret-key', 'secrets.json']) expect(statSync(join(place.folder, name)).mode & 0o077).toBe(0)
  })

  test('refuses a second start on the same folder with 2, and says which process runs there', async () => {
    const second = await runSvc(['up', '--port', '0'], env)
    expect(second.code).toBe(2)
    expect(second.stderr).toContain(`process ${up.child.pid}`)
    expect(second.stdout).toBe('')
  })

  test('lets other commands on the same folder use its database', async () => {
    const submitted = await runSvc(['iocs', 'submit', '45.77.12.13', '--json'], env)
    expect({ ...submitted, stdout: JSON.parse(submitted.stdout).created }).toEqual({ code: 0, stdout: 1, stderr: '' })
    const found = await runSvc(['lookup', '45[.]77[.]12[.]13'], env)
    expect(found.stdout.split('\n')[1]?.split('\t').slice(0, 4)).toEqual(['45[.]77[.]12[.]13', 'known', 'exact', '45.77.12.13'])
    expect((await runSvc(['db', 'check'], env)).code).toBe(0)
  })

  test('refuses a taken port with 2 and without having made a password', async () => {
    const other = makeTempFolder('svc-up-other')
    const refused = await runSvc(['up', '--port', String(port)], { DATA_DIR: other.folder })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`Port ${port}`)
    expect(processesIn(other.folder)).toEqual([])
    other.remove()
  })

  test('ends in order at SIGINT: exit code 0, no database server, no runtime file', async () => {
    expect(processesIn(place.folder)).not.toEqual([])
    up.child.kill('SIGINT')
    expect(await up.ended).toBe(0)
    expect(processesIn(place.folder)).toEqual([])
    expect(existsSync(join(place.folder, 'runtime.json'))).toBe(false)
  })
})

describe('later starts', () => {
  let signingKey: string

  test('print one line, and keep accounts and signing key', async () => {
    signingKey = readFileSync(join(place.folder, 'secret-key'), 'utf8')
    const run = start()
    await untilReady(run)
    await run.until((stdout) => (stdout.includes('\n') ? true : undefined))
    expect(run.stdout()).toBe(`svc is running at ${url}\n`)
    expect(readFileSync(join(place.folder, 'secret-key'), 'utf8')).toBe(signingKey)
  })

  test('work after a kill that left the database server behind', async () => {
    up.child.kill('SIGKILL')
    expect(await up.ended).toBe('SIGKILL')
    expect(existsSync(join(place.folder, 'runtime.json'))).toBe(true)
    const run = start()
    await untilReady(run)
    const found = await runSvc(['lookup', '45.77.12.13', '--json'], env)
    expect(JSON.parse(found.stdout).items[0].status).toBe('known')
  })

  test('end in order at SIGTERM', async () => {
    up.child.kill('SIGTERM')
    expect(await up.ended).toBe(0)
    expect(processesIn(place.folder)).toEqual([])
  })
})

test('a stop during the start leaves nothing running and is no failure', async () => {
  const run = start()
  await run.until(() => (existsSync(join(place.folder, 'lock.1')) ? true : undefined))
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  expect(processesIn(place.folder)).toEqual([])
})
