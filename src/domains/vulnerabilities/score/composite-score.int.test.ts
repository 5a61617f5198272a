import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCopy } from '#platform/database/copy.ts'
import { openPool } from '#platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { compositeScore, type ScoreInputs } from './composite-score.ts'

const ROWS = 100_000

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.appUrl, { maxConnections: 1, applicationName: 'test' })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** A small seeded generator (mulberry32), so that a difference can be found again. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every CVSS score there is, EPSS as published with five digits and as any double, and the edges where a point begins. */
function generate(): ScoreInputs[] {
  const next = random(12)
  const share = () => {
    const kind = next()
    if (kind < 0.4) return Math.round(next() * 100_000) / 100_000
    if (kind < 0.6) return ((Math.floor(next() * 20) + 0.5) / 20) ** 2
    if (kind < 0.8) return Math.min(1, 0.8 + (0.2 * (Math.floor(next() * 10) + 0.5)) / 10)
    return next()
  }
  return Array.from({ length: ROWS }, () => {
    const hasEpss = next() < 0.8
    return {
      cvss: next() < 0.9 ? Math.floor(next() * 101) / 10 : undefined,
      epssProbability: hasEpss ? share() : undefined,
      epssPercentile: hasEpss ? share() : undefined,
      kev: next() < 0.3,
      ransomware: next() < 0.5,
      exploit: next() < 0.5,
    }
  })
}

test(`the score of the database is the score of the rule, on ${ROWS} rows`, async () => {
  const given = generate()
  const client = await pool.connect()
  try {
    await client.query(`create temp table given (n int, cvss double precision, probability double precision, percentile double precision,
      kev boolean, ransomware boolean, exploit boolean, want_score int, want_priority text)`)
    const copy = openCopy(client, "copy given from stdin (null '')")
    for (const [n, inputs] of given.entries()) {
      const { score, priority } = compositeScore(inputs)
      const { cvss = '', epssProbability = '', epssPercentile = '', kev, ransomware, exploit } = inputs
      await copy.write([n, cvss, epssProbability, epssPercentile, kev, ransomware, exploit, score, priority].join('\t').concat('\n'))
    }
    await copy.end()
    const { rows } = await client.query(`
      select *, cve_priority(score, kev) as priority
      from (select *, cve_score(cvss, probability, percentile, kev, ransomware, exploit) as score from given) scored
      where score <> want_score or cve_priority(score, kev) <> want_priority limit 5`)
    expect(rows).toEqual([])
    const { rows: seen } = await client.query(
      'select count(*)::int as rows, count(distinct want_score)::int as scores, count(distinct want_priority)::int as priorities from given',
    )
    expect(seen).toEqual([{ rows: ROWS, scores: expect.any(Number), priorities: 4 }])
    expect(seen[0].scores).toBeGreaterThan(90)
  } finally {
    client.release()
  }
})
