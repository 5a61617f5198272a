import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBoundedLog } from './bounded-log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-log-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

test('a full file makes room for a new one, and only one predecessor is kept', async () => {
  const path = join(folder, 'postgres.log')
  const log = openBoundedLog(path, 10)
  for (const line of ['first---\n', 'second--\n', 'third---\n']) log.write(Buffer.from(line))
  expect(await readFile(path, 'utf8')).toBe('third---\n')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('second--\n')
})

test('a log that was there before is continued and its size counts', async () => {
  const path = join(folder, 'postgres.log')
  openBoundedLog(path, 10).write(Buffer.from('12345678'))
  openBoundedLog(path, 10).write(Buffer.from('9'))
  expect(await readFile(path, 'utf8')).toBe('123456789')
  openBoundedLog(path, 10).write(Buffer.from('ab'))
  expect(await readFile(path, 'utf8')).toBe('ab')
})

test('a folder that is gone loses the line, not the caller', () => {
  expect(() => openBoundedLog(join(folder, 'gone', 'postgres.log')).write(Buffer.from('x'))).not.toThrow()
})
