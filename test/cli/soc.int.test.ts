import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
const place = makeTempFolder('svc-soc')
const svc = async (...args: string[]) => await runSvc(args, { DATA_DIR: place.folder, DATABASE_URL: database.appUrl })

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  place.remove()
})

test('an exclusion is tried, made, listed, found by a lookup, and taken back', async () => {
  const tried = await svc('soc', 'exclude', '192[.]0[.]2[.]7', '--reason', 'Our own scanner', '--dry-run')
  expect(tried).toMatchObject({ code: 0 })
  expect(JSON.parse((await svc('soc', 'exclusions', '--json')).stdout).items).toEqual([])
  const made = JSON.parse((await svc('soc', 'exclude', '192[.]0[.]2[.]7', '--reason', 'Our own scanner', '--days', '3', '--json')).stdout)
  expect(made).toMatchObject({ pattern: { kind: 'VALUE', type: 'IPV4', value: '192.0.2.7' }, effect: { touched: 0 } })
  const listed = await svc('soc', 'exclusions')
  expect(listed.stdout).toContain('192.0.2.7')
  expect(listed.stdout).toContain('Our own scanner')
  expect((await svc('lookup', '192.0.2.7')).stdout).toContain('192.0.2.7\texcluded')
  expect(await svc('soc', 'exclude', '192.0.2.7', '--reason', 'Once more')).toMatchObject({ code: 1 })
  expect(await svc('soc', 'unexclude', '192.0.2.7')).toMatchObject({ code: 0 })
  expect((await svc('lookup', '192.0.2.7')).stdout).toContain('192.0.2.7\tunknown')
})

test('what is no value is refused with the kinds that there are', async () => {
  const refused = await svc('soc', 'exclude', 'not a value', '--reason', 'Our own scanner')
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('no address, range, domain name, URL, hash or e-mail address')
})

test('a warning list is tried, excluded as a whole, found by a lookup, and taken back', async () => {
  const file = join(place.folder, 'resolvers.json')
  const inside = '198.51.100.9'
  const list = { name: 'Resolvers', description: '', version: 1, type: 'cidr', list: ['198.51.100.0/24', '203.0.113.0/25', 'not a value'] }
  writeFileSync(file, JSON.stringify(list))
  expect(await svc('lists', 'import', file)).toMatchObject({ code: 0 })
  const exclude = async (...flags: string[]) => await svc('soc', 'exclude-list', 'Resolvers', '--reason', 'resolvers', ...flags)
  expect((await exclude('--dry-run')).stdout).toContain('exclusions added 2, there already 0 (taken back)')
  expect((await svc('lookup', inside)).stdout).toContain(`${inside}\tunknown`)
  const made = await exclude()
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout).toContain('exclusions added 2, there already 0')
  expect((await exclude()).stdout).toContain('exclusions added 0, there already 2')
  expect((await svc('lookup', inside)).stdout).toContain(`${inside}\texcluded`)
  const tried = JSON.parse((await svc('soc', 'unexclude-list', 'Resolvers', '--dry-run', '--json')).stdout)
  expect(tried).toMatchObject({ removed: false, exclusions: 2 })
  expect(await svc('soc', 'unexclude-list', 'Resolvers')).toMatchObject({ code: 0 })
  expect((await svc('lookup', inside)).stdout).toContain(`${inside}\tunknown`)
  const missing = await svc('soc', 'exclude-list', 'No such list', '--reason', 'resolvers')
  expect(missing).toMatchObject({ code: 1 })
  expect(missing.stderr).toContain('There is no such warning list')
})

test('the clock without incidents gives figures and no division by nothing', async () => {
  const metrics = JSON.parse((await svc('soc', 'metrics', '--days', '7', '--json')).stdout)
  expect(metrics).toMatchObject({ take_in: { n: 0, mean_ms: null, median_ms: null, p90_ms: null }, open: { total: 0 }, load: [] })
  expect((await svc('soc', 'metrics', '--csv')).stdout.split('\n').length).toBeGreaterThan(1)
})
