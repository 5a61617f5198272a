import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'
import { identifyProcess } from './process-identity.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc lock '))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const locks = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.startsWith('lock.'))

test('a second taker is refused and told who holds the folder', async () => {
  const lock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'data_dir_in_use',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await lock.release()
})

test('after the release the next one takes it, and nothing is left behind', async () => {
  await (await lockFolder(folder)).release()
  const again = await lockFolder(folder)
  await again.release()
  await again.release()
  expect(await locks()).toEqual([])
})

test('a folder that is missing is made', async () => {
  const lock = await lockFolder(join(folder, 'a', 'b'))
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['lock.1'])
  await lock.release()
})

// biome-ignore format: one case per line
test.each([
  { title: 'of a process that is gone',                         holder: () => JSON.stringify({ pid: 2 ** 30 }) },
  { title: 'whose number now belongs to a later process',       holder: () => JSON.stringify({ ...identifyProcess(process.pid), startTicks: '1' }) },
  { title: 'of the time before the machine was started again',  holder: () => JSON.stringify({ ...identifyProcess(process.pid), bootId: 'earlier' }) },
])('a lock $title is replaced', async ({ holder }) => {
  await writeFile(join(folder, 'lock.7'), holder())
  const lock = await lockFolder(folder)
  expect(await locks()).toEqual(['lock.8'])
  await lock.release()
})

test('a lock that is just being written is respected, an old empty one is not', async () => {
  await writeFile(join(folder, 'lock.1'), '')
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'data_dir_in_use' })
  await utimes(join(folder, 'lock.1'), 1, 1)
  await (await lockFolder(folder)).release()
})

test('a holder that was killed is replaced', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${takeLock()}; console.log('held'); setInterval(() => {}, 1000)`])
  await once(child.stdout, 'data')
  await expect(lockFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining(`process ${child.pid}`) })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await lockFolder(folder)).release()
})

test('of many that start at once on a dead lock exactly one gets the folder', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 3; round++) {
    await writeFile(join(folder, 'lock.1'), JSON.stringify({ pid: 2 ** 30 }))
    const code = `${takeLock()}.then(() => { console.log('held'); setInterval(() => {}, 1000) }, (e) => console.log(e.code))`
    const starters = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '-e', code]))
    const said = await Promise.all(starters.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim()))
    for (const child of starters) child.kill('SIGKILL')
    await Promise.all(starters.map(async (child) => child.exitCode ?? child.signalCode ?? (await once(child, 'exit'))))
    expect(said.toSorted()).toEqual([...Array(5).fill('data_dir_in_use'), 'held'])
    await Promise.all((await locks()).map(async (name) => await rm(join(folder, name))))
  }
})

test('takers within one process exclude each other as well', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, async () => await lockFolder(folder)))
  const held = results.filter(({ status }) => status === 'fulfilled')
  expect(held).toHaveLength(1)
})

function takeLock(): string {
  return `const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))}); await lockFolder(${JSON.stringify(folder)})`
}
