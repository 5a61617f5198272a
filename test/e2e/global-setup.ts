import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { HOSTILE_TEXTS } from '../support/hostile-text.ts'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { KEV_FILE, NVD_FILE } from '../support/nvd-file.ts'
import { COLLECTION, indicatorObject, startTaxiiServer } from '../support/taxii-server.ts'
import { makeTempFolder, sweepTempFolders } from '../support/temp-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The running product, as `svc up` starts it, and who may log in. */
    product: { url: string; password: string; listUrl: string; taxiiUrl: string; databaseUrl: string }
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PASSWORD = 'violet anchor beside the mill'
const READY_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 15_000

/** What the publisher lists; the tests look these up. */
const LIST = [
  'value,severity,tags',
  ...Array.from({ length: 120 }, (_, n) => `host-${n}.evil.example.com,high,loader`),
  '203.0.113.0/24,medium,scanner',
  '127.0.0.1,low,local',
].join('\n')

/** One value that ends by itself, one that may not be stored, one pattern that is none, and one kind that is not held. */
const BUNDLE = [
  indicatorObject('stix.example.org', { valid_until: '2037-01-01T00:00:00Z' }),
  indicatorObject('secret.example.org', { object_marking_refs: ['marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed'] }),
  { ...indicatorObject('broken.example.org'), pattern: '[<img src=x onerror=window.pwned=1>' },
  { type: 'malware', id: 'malware--11111111-1111-4111-8111-111111111113', name: 'X', is_family: false },
]

/** Starts the whole product on an empty folder, with an administrator, a viewer, an analyst and a publisher on loopback. @returns what ends it */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepTempFolders()
  const { folder, remove } = makeTempFolder('e2e')
  const lists = await startListServer()
  lists.publish('threats.csv', LIST)
  lists.publish('second.csv', 'host-1.evil.example.com\nfresh.example.net\n')
  // Values that no other list holds, so that they count in no other test.
  lists.publish('live.csv', 'moves.example.org\nmoved.example.org\n')
  lists.publish('hostile.csv', ['kept.inert.example.org', ...HOSTILE_TEXTS].map((text) => `"${text.replaceAll('"', '""')}"`).join('\n'))
  lists.publish('records.json', JSON.stringify({ data: [{ ioc: 'json.example.org' }, { ioc: 'more.example.org' }] }))
  lists.publish('bundle.json', JSON.stringify({ type: 'bundle', id: 'bundle--1', objects: BUNDLE }))
  const taxii = await startTaxiiServer()
  taxii.objects(COLLECTION).push({ object: indicatorObject('taxii.example.org'), addedMicros: 1_780_000_000_000_000 })
  const port = 20_000 + (process.pid % 20_000)
  const env = {
    ...process.env,
    SVC_ENV_FILE: '',
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    ADMIN_PASSWORD: PASSWORD,
    OUTBOUND_ALLOW_HOSTS: `${lists.host},${taxii.host}`,
    // Every page of the run comes from one address, with more logins a minute than an office has.
    RATE_LIMIT_PER_ADDRESS: '0',
    CVE_SYNC_INTERVAL_SECONDS: '0',
    LOG_LEVEL: 'error',
  }
  const product = spawn(process.execPath, [join(ROOT, 'bin/svc'), 'up', '--no-seed'], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, product)
  for (const [username, role] of [
    ['vera', 'VIEWER'],
    ['ana', 'ANALYST'],
  ] as const) {
    await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'bin/svc'), 'users', 'create', '--username', username, '--role', role, '--password', PASSWORD],
      { env, cwd: folder },
    )
  }
  const files = { 'nvd.json': NVD_FILE, 'kev.json': KEV_FILE }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  await promisify(execFile)(process.execPath, [join(ROOT, 'bin/svc'), 'cves', 'import', ...Object.keys(files)], { env, cwd: folder })
  const { databaseUrl } = JSON.parse(readFileSync(join(env.DATA_DIR, 'runtime.json'), 'utf8')) as { databaseUrl: string }
  project.provide('product', { url, password: PASSWORD, listUrl: lists.urlOf(''), taxiiUrl: taxii.collectionUrl(), databaseUrl })
  return async () => {
    await stop(product, lists, remove)
    await taxii.close()
  }
}

async function waitUntilReady(url: string, product: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (product.exitCode !== null) throw new Error(`svc up ended with exit code ${product.exitCode}.`)
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    if (answer?.ok === true) return
    await sleep(200)
  }
  throw new Error('svc up was not ready in time.')
}

async function stop(product: ChildProcess, lists: ListServer, remove: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => product.once('exit', () => resolve()))
  product.kill('SIGINT')
  const timer = setTimeout(() => product.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(timer)
  await lists.close()
  remove()
}
