import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { ListServer } from '../support/list-server.ts'
import { countRun, differences, type Ledger } from './ledger.ts'

export type KillTally = {
  kills: number
  tooLate: number
  /** Kills that came after the first chunk was committed and before the run counted. */
  leftPart: number
  faults: string[]
  longestBlockedMs: number
  runs: Record<string, number>
}

const BIN = fileURLToPath(new URL('../../bin/svc', import.meta.url))
const NAME = 'chaos'

/** How long a collector may be kept out after a kill: the life of a lock, and a margin. Milliseconds. */
const BLOCKED_AT_MOST_MS = 75_000

/** Part of a run that a process needs to start, in which a kill proves nothing. */
const STARTUP_SHARE = 0.25

/**
 * Collects a churning list again and again with a worker process that is killed (SIGKILL) at a random moment of each round, and once more
 * without a kill; then compares what is stored with the ledger.
 */
export async function killRounds(options: {
  databaseUrl: string
  redisUrl?: string
  lists: ListServer
  rounds: number
  values: number
}): Promise<KillTally> {
  const { lists, rounds } = options
  const env = {
    ...process.env,
    DATABASE_URL: options.databaseUrl,
    ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
    SECRET_KEY: 'chaos '.repeat(8),
    OUTBOUND_ALLOW_HOSTS: lists.host,
    LOG_LEVEL: 'silent',
    SVC_ENV_FILE: '',
  }
  const run = (...args: string[]) => spawn(process.execPath, [BIN, ...args], { env, stdio: 'ignore' })
  const ledger: Ledger = new Map()
  const tally: KillTally = { kills: 0, tooLate: 0, leftPart: 0, faults: [], longestBlockedMs: 0, runs: {} }
  lists.publish(NAME, listOfRound(0, options.values).join('\n'))
  await ended(run('feeds', 'add', NAME, lists.urlOf(NAME), '--format', 'csv'))
  let typicalMs = await completeRun(run, tally)
  const client = new pg.Client({ connectionString: options.databaseUrl })
  await client.connect()
  let before = await readState(client)
  countRun(ledger, listOfRound(0, options.values), before.runAt)
  for (let round = 1; round <= rounds; round++) {
    const list = listOfRound(round, options.values)
    lists.publish(NAME, list.join('\n'))
    const victim = run('feeds', 'fetch', NAME)
    const exit = ended(victim)
    await sleep((STARTUP_SHARE + (1 - STARTUP_SHARE) * Math.random()) * typicalMs)
    victim.kill('SIGKILL')
    if ((await exit) === 0) tally.tooLate++
    else tally.kills++
    // Faster than the knife, or killed between its commit and its end: the database says whether this run counts.
    const killed = await readState(client)
    if (killed.runNo > before.runNo) countRun(ledger, list, killed.runAt)
    else if (killed.writtenBy !== before.writtenBy) tally.leftPart++
    typicalMs = (typicalMs + (await completeRun(run, tally))) / 2
    before = await readState(client)
    countRun(ledger, list, before.runAt)
  }
  const { rows } = await client.query(
    `select known.value, seen.hits::int, seen.listed, (extract(epoch from seen.first_seen) * 1000)::float8 as "firstSeen",
       (extract(epoch from seen.last_seen) * 1000)::float8 as "lastSeen"
     from source_sightings seen join indicators known on known.id = seen.indicator_id`,
  )
  const { rows: outcomes } = await client.query('select outcome, count(*)::int from collection_runs group by 1')
  const { rows: kept } = await client.query('select listed from sources where name = $1', [NAME])
  await client.end()
  tally.runs = Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count]))
  tally.faults = differences(ledger, rows)
  const listed = rows.filter((row) => row.listed).length
  if (kept[0]?.listed !== listed) tally.faults.push(`the source counts ${kept[0]?.listed} listed values, there are ${listed}`)
  return tally
}

/** Collects until one run ends well; a lock of the killed one may keep it out for a while. @returns milliseconds of the run that ended well */
async function completeRun(run: (...args: string[]) => ChildProcess, tally: KillTally): Promise<number> {
  const startMs = performance.now()
  for (;;) {
    const attemptMs = performance.now()
    if ((await ended(run('feeds', 'fetch', NAME))) === 0) {
      tally.longestBlockedMs = Math.max(tally.longestBlockedMs, attemptMs - startMs)
      return performance.now() - attemptMs
    }
    if (performance.now() - startMs > BLOCKED_AT_MOST_MS)
      throw new Error('A killed collector blocks its feed for longer than a lock lives.')
    await sleep(500)
  }
}

/** Complete runs of the feed so far, the end of the last, and the transaction that wrote its row last: each chunk does. */
async function readState(client: pg.Client): Promise<{ runNo: number; runAt: number; writtenBy: string }> {
  const { rows } = await client.query('select run_no, run_at, xmin::text from sources where name = $1', [NAME])
  return { runNo: rows[0]?.run_no ?? 0, runAt: rows[0]?.run_at?.getTime() ?? 0, writtenBy: rows[0]?.xmin ?? '' }
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit')
  return code
}

/** Half of the values change from round to round: some go, some come back, some are new. Enough for several chunks of each. */
function listOfRound(round: number, values: number): string[] {
  return Array.from({ length: values }, (_, n) => (n % 2 === 0 ? `v${n}-${(round + n) % 4}.example.com` : `v${n}.example.com`))
}
