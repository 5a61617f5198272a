import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { startRedisServer } from './redis-server.ts'
import { makeTempFolder, sweepTempFolders } from './temp-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The run's database server; tests take databases from `createTestDatabase`. */
    postgres: { port: number; superuserPassword: string; ownerPassword: string; appPassword: string }
    redisUrl: string
  }
}

/** Nothing of a test run has to outlive a power cut. */
const THROWAWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '100',
  max_wal_size: '256MB',
}

/** One PostgreSQL and one Redis for all integration tests of a run. @returns what ends them */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepTempFolders()
  const { folder, remove } = makeTempFolder('run')
  const dataDir = join(folder, 'data')
  const [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ dataDir, log: () => {}, settings: THROWAWAY }),
    startRedisServer({ folder }),
  ])
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  project.provide('postgres', {
    port: postgres.port,
    superuserPassword: secrets.postgres,
    ownerPassword: secrets.svc,
    appPassword: secrets.svc_app,
  })
  project.provide('redisUrl', redis.url)
  // Without a listener these end the process before anything can be cleaned.
  const onSignal = (): never => process.exit(1)
  process.once('SIGTERM', onSignal).once('SIGHUP', onSignal)
  return async () => {
    process.removeListener('SIGTERM', onSignal).removeListener('SIGHUP', onSignal)
    await Promise.all([postgres.stop(), redis.stop()])
    remove()
  }
}
