import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { startRedisServer } from './redis-server.ts'
import { createTestDatabase } from './test-database.ts'

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

test('two test databases are migrated, apart from each other, and gone after the drop', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  await ask(one.ownerUrl, 'create table only_here (a int)')
  expect(await ask(two.ownerUrl, "select to_regclass('only_here')")).toBeNull()
  expect(await ask(two.appUrl, 'select count(*) > 0 from kysely_migration')).toBe(true)
  await expect(ask(two.appUrl, 'create table intruder (a int)')).rejects.toThrow('permission denied')
  await Promise.all([one.drop(), two.drop()])
  await expect(ask(one.ownerUrl, 'select 1')).rejects.toThrow('does not exist')
})

test('the shared Redis answers', async () => {
  const redis = new Redis(inject('redisUrl'))
  expect(await redis.ping()).toBe('PONG')
  redis.disconnect()
})

test('a private Redis hangs while paused, answers after, and comes back empty at the same port', async () => {
  const first = await startRedisServer({ password: 'only-for-this-test' })
  const client = new Redis(first.url, { commandTimeout: 200, maxRetriesPerRequest: 0, retryStrategy: () => null })
  client.on('error', () => {})
  await client.set('a', '1')
  first.pause()
  await expect(client.get('a')).rejects.toThrow('timed out')
  first.resume()
  expect(await client.get('a')).toBe('1')
  client.disconnect()
  await first.stop()
  const second = await startRedisServer({ port: first.port })
  const again = new Redis(second.url)
  expect(await again.get('a')).toBeNull()
  again.disconnect()
  await second.stop()
})
