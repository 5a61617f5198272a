import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { startListServer } from '../support/list-server.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { killRounds } from './kill-rounds.ts'

// 100 random kills of a collecting process: nothing may be lost, doubled or blocked. Most with PostgreSQL's locks, which a kill frees at once;
// a few with Redis, where each kill has to be waited out for the life of a lock.
const { values: options } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, values: { type: 'string', default: '60000' } },
})
const REDIS_KILLS = 4
let faults = 0
for (const kind of ['PostgreSQL', 'Redis'] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  await migrateToLatest(postgres.ownerUrl, 'svc_app')
  const redis = kind === 'Redis' ? await startRedisServer() : undefined
  const lists = await startListServer()
  const rounds = kind === 'Redis' ? REDIS_KILLS : Math.max(0, Number(options.kills) - REDIS_KILLS)
  const tally = await killRounds({
    databaseUrl: postgres.appUrl,
    ...(redis === undefined ? {} : { redisUrl: redis.url }),
    lists,
    rounds,
    values: Number(options.values),
  })
  await lists.close()
  await redis?.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
  const runs = Object.entries(tally.runs).map(([outcome, count]) => `${count} ${outcome}`)
  console.log(
    `Locks in ${kind}: ${tally.kills} killed, ${tally.tooLate} ended before the kill, ${tally.leftPart} killed with a part of the list written; runs: ${runs.join(', ')}; longest wait for a lock ${(tally.longestBlockedMs / 1000).toFixed(1)} s`,
  )
  for (const fault of tally.faults.slice(0, 10)) console.log(`  FAULT ${fault}`)
  console.log(`  ${tally.faults.length} values lost, doubled or wrong`)
  faults += tally.faults.length
}
process.exitCode = faults === 0 ? 0 : 1
