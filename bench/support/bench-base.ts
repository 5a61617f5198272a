import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { Config } from '#platform/config/settings.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'

/** Flags that the product's processes run with. */
export const PRODUCT_FLAGS = (readFileSync(new URL('../../bin/svc', import.meta.url), 'utf8').split('\n', 1)[0] ?? '')
  .split(' ')
  .filter((word) => word.startsWith('--'))

export const BENCH_ACTOR: Actor = { name: 'benchmark', role: 'ADMIN' }

/** A database of its own, the product's services on it, a publisher on loopback, and a bare connection for the floors. */
export type BenchBase = {
  services: Services
  config: Config
  lists: ListServer
  bare: pg.Client
  appUrl: string
  /** Registers a feed whose list the publisher serves under `name`. */
  addFeed(name: string, format?: 'CSV' | 'STIX'): Promise<string>
  close(): Promise<void>
}

/** @param allowHosts loopback publishers beside the own one */
export async function openBenchBase({ allowHosts = [] }: { allowHosts?: readonly string[] } = {}): Promise<BenchBase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  await migrateToLatest(postgres.ownerUrl, 'svc_app')
  const lists = await startListServer()
  const config = loadConfig(
    {
      DATABASE_URL: postgres.appUrl,
      SECRET_KEY: 'benchmark '.repeat(5),
      OUTBOUND_ALLOW_HOSTS: [lists.host, ...allowHosts].join(','),
      SVC_ENV_FILE: '',
    },
    '/',
  )
  const services = await createServices(config, SILENT_LOGGING, 'svc bench')
  const bare = new pg.Client({ connectionString: postgres.ownerUrl })
  await bare.connect()
  return {
    services,
    config,
    lists,
    bare,
    appUrl: postgres.appUrl,
    addFeed: async (name, format = 'CSV') =>
      (await services.feeds.create(BENCH_ACTOR, { name, url: lists.urlOf(name), format, feed_type: 'malware' })).id,
    async close() {
      await bare.end()
      await services.close()
      await lists.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Seconds that the work took. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** One line of a result: the median of each side, their ratio, and the goal that it is held to. */
export function report(title: string, result: { ours: number[]; floor: number[]; goal: number; unit?: string }): void {
  const ours = median(result.ours)
  const floor = median(result.floor)
  const ratio = ours / floor
  const unit = result.unit ?? 's'
  const verdict = ratio <= result.goal ? 'held' : 'MISSED'
  console.log(
    `${title}: ratio ${ratio.toFixed(2)} (goal ${result.goal}, ${verdict}); ours ${ours.toFixed(3)} ${unit}, floor ${floor.toFixed(3)} ${unit}, rounds ${result.ours.length}`,
  )
}
