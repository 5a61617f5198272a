import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { epss, ID, kev, kevEntry, nvd, record, useCveBase } from './cve-files.test-support.ts'

const base = useCveBase()
const { importText, scoreOf, writersOf } = base

describe('records', () => {
  test('are stored with their score, and found by the list', async () => {
    expect(await importText(nvd(record(1), record(2, {}, 5)))).toMatchObject({
      source: 'NVD',
      records: 2,
      created: 2,
      updated: 0,
      error: null,
    })
    const page = await base.services.cves.page({})
    expect(page.items.map(({ id, score, priority }) => [id, score, priority])).toEqual([
      [ID(1), 39, 'P3'],
      [ID(2), 20, 'P3'],
    ])
    expect(page).toMatchObject({ total: 2, total_exact: true, next: null })
  })

  test('that come again cost no write, stamped anew or not', async () => {
    await importText(nvd(record(1), record(2)))
    const before = await writersOf('cves')
    expect(await importText(nvd(record(1), record(2, { lastModified: '2031-09-09T00:00:00.000' })))).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    })
    expect(await writersOf('cves')).toEqual(before)
  })

  test('that say what is stored are not written, and any other is', async () => {
    await importText(nvd(record(1), record(2), record(3)))
    const writers = async () =>
      (await sql<{ id: string; xmin: string }>`select id, xmin::text from cves order by id`.execute(base.services.db)).rows.map(
        ({ xmin }) => xmin,
      )
    const before = await writers()
    const again = await importText(nvd(record(1), record(2, { novelty: 1 }), record(3, { vulnStatus: 'Modified' })))
    expect(again).toMatchObject({ records: 3, created: 0, updated: 1, unchanged: 2 })
    expect((await writers()).map((writer, at) => writer === before[at])).toEqual([true, true, false])
  })

  test('of many batches name the products that batches before them have given', async () => {
    const naming = (product: string) => ({ vulnerable: true, criteria: `cpe:2.3:a:acme:${product}:*:*:*:*:*:*:*:*` })
    const many = Array.from({ length: 9000 }, (_, n) =>
      record(n, { configurations: [{ nodes: [{ cpeMatch: [naming('mail'), naming(`web${n % 3000}`)] }] }] }),
    )
    expect(await importText(nvd(...many))).toMatchObject({ records: 9000, created: 9000, error: null })
    const { rows } = await sql<{ product: string; cves: number }>`
      select product, count(*)::int as cves from cve_affected join cve_products on id = product_id group by product`.execute(
      base.services.db,
    )
    const named = new Map(rows.map(({ product, cves }) => [product, cves]))
    expect([named.size, named.get('mail'), named.get('web0'), named.get('web2999')]).toEqual([3001, 9000, 3, 3])
  })

  test('of any characters are stored as they were written, but for those that no text can hold', async () => {
    const hostile = '\0 "quoted", {braced}, back\\slash, tab\t, line\n, \\N, 😀 \ud800'
    const stored = hostile.replace('\0', '\ufffd').replace('\ud800', '\ufffd')
    const cpe = `cpe:2.3:a:ac"me\0:ma{i}l,:*:*:*:*:*:*:*:*`
    const more = {
      descriptions: [{ lang: 'en', value: hostile }],
      cveTags: [{ tags: [hostile, 'NULL'] }],
      configurations: [{ nodes: [{ cpeMatch: [{ vulnerable: true, criteria: cpe }] }] }],
    }
    expect(await importText(nvd(record(1, more)))).toMatchObject({ created: 1, error: null })
    const cve = await base.services.cves.get(ID(1))
    expect(cve.description).toBe(stored)
    expect([...cve.tags].sort()).toEqual(['NULL', stored].sort())
    expect(cve.configurations).toEqual([{ operator: 'OR', nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: cpe }] }] }])
    const { rows } = await sql`select vendor, product from cve_affected join cve_products on id = product_id`.execute(base.services.db)
    expect(rows).toEqual([{ vendor: 'ac"me\ufffd', product: 'ma{i}l,' }])
  })

  test('name products with any characters, and two products are never one', async () => {
    const named = [
      { vendor: 'a\nb', product: 'c' },
      { vendor: 'a', product: 'b\nc' },
      { vendor: 'a:b', product: 'c\\' },
      { vendor: 'a', product: 'b:c\\' },
      { vendor: '\ud800İΣ', product: ':\0:Σ' },
    ]
    expect(await importText(nvd(record(1, { configurations: [], affected: named })))).toMatchObject({ created: 1, error: null })
    const { rows } = await sql<(typeof named)[0]>`
      select vendor, product from cve_affected join cve_products on id = product_id order by id`.execute(base.services.db)
    const stored = ({ vendor, product }: (typeof named)[0]) =>
      `${vendor} | ${product}`.toLowerCase().replace('\ud800', '\ufffd').replace('\0', '\ufffd')
    expect(rows.map(stored).sort()).toEqual(named.map(stored).sort())
  })

  test('that are newer win, and that are older change nothing', async () => {
    await importText(nvd(record(1, {}, 5)))
    expect(await importText(nvd(record(1, { lastModified: '2031-01-03T00:00:00.000' }, 9.8)))).toMatchObject({ updated: 1 })
    expect(await importText(nvd(record(1, { lastModified: '2030-01-03T00:00:00.000' }, 2)))).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await scoreOf(1)).toMatchObject({ score: 39 })
  })

  test('that stand in one file twice count once, the newest', async () => {
    await importText(nvd(record(1, { lastModified: '2031-01-03T00:00:00.000' }, 9.8), record(1, {}, 2)))
    expect(await scoreOf(1)).toMatchObject({ score: 39 })
  })

  test('that are rejected are never stored, and taken away where they were', async () => {
    await importText(nvd(record(1), record(2, { vulnStatus: 'Rejected' })))
    expect((await base.services.cves.page({})).items.map(({ id }) => id)).toEqual([ID(1)])
    const gone = await importText(nvd(record(1, { vulnStatus: 'Rejected', lastModified: '2031-02-01T00:00:00.000' })))
    expect(gone).toMatchObject({ removed: 1 })
    await expect(base.services.cves.get(ID(1))).rejects.toThrow('not stored')
    expect((await sql`select * from cve_affected`.execute(base.services.db)).rows).toEqual([])
  })

  test('are the same rows whether they come new or take the place of others', async () => {
    await importText(kev(kevEntry(1, { knownRansomwareCampaignUse: 'Known' })))
    await importText(
      epss([
        [1, 0.5, 0.99],
        [3, 0.9, 0.999],
      ]),
    )
    await sql`delete from cves`.execute(base.services.db)
    const whole = {
      cveTags: [{ tags: ['disputed', 'quo"ted'] }],
      weaknesses: [{ description: [{ value: 'CWE-79' }] }],
      references: [{ url: 'https://example.org/a', tags: ['Exploit'] }],
      affected: [{ vendor: 'Acme', product: 'Mail Server', versions: [{ version: '1', status: 'affected' }] }],
    }
    const bare = { descriptions: [], metrics: {}, configurations: [] }
    const file = nvd(record(1, whole), record(2, bare), record(3))
    const rows = async () => ({
      cves: (await sql`select * from cves order by id`.execute(base.services.db)).rows,
      named: (await sql`select * from cve_affected order by cve_id, product_id`.execute(base.services.db)).rows,
    })
    expect(await importText(file)).toMatchObject({ created: 3 })
    const stored = await rows()
    expect(stored.cves.map((row) => (row as { score: number }).score)).toEqual([97, 0, 68])
    expect(stored.named).toHaveLength(3)
    await sql`
      update cves set status = '', published = now(), description = '', tags = '{}', cwes = '{}', cvss = 1, cvss_version = '', cvss_vector = '', cvss_source = '',
        ssvc = '{}', exploit = not exploit, reference_list = '[]', configurations = '[]', affected = '[]', words = '', score = 1, digest = ''`.execute(
      base.services.db,
    )
    await sql`update cve_affected set product_id = product_id + 1000`.execute(base.services.db)
    expect(await importText(file)).toMatchObject({ created: 0, updated: 3 })
    expect(await rows()).toEqual(stored)
  })

  test('update what is known alone when asked to', async () => {
    await importText(nvd(record(1, {}, 5)))
    const newer = { lastModified: '2031-02-01T00:00:00.000' }
    expect(await importText(nvd(record(1, newer), record(2, newer)), true)).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect((await base.services.cves.page({})).total).toBe(1)
  })

  test('are found by the products that they name', async () => {
    const web = {
      configurations: [{ nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:web:*:*:*:*:*:*:*:*' }] }] }],
    }
    const named = async () =>
      (
        await sql<{
          product: string
        }>`select product from cve_affected join cve_products on id = product_id where cve_id = ${ID(1)} order by product`.execute(
          base.services.db,
        )
      ).rows.map(({ product }) => product)
    await importText(nvd(record(1)))
    expect(await named()).toEqual(['mail'])
    await importText(nvd(record(1, { ...web, lastModified: '2031-02-01T00:00:00.000' })))
    expect(await named()).toEqual(['web'])
  })

  test('hold hostile text as it is', async () => {
    const value = `%_\\ \t\n'";--\0\ud800 ${'x'.repeat(5000)}`
    await importText(nvd(record(1, { descriptions: [{ lang: 'en', value }] })))
    expect((await base.services.cves.get(ID(1))).description).toBe(value.replace('\0', '\ufffd').replace('\ud800', '\ufffd'))
  })
})

test('a CVE that is withdrawn takes its open alert with it', async () => {
  await importText(nvd(record(1), record(2)))
  await transact(base.services.db, SILENT_LOGGING.for('svc.cve'), async (tx) => {
    const alert = { generation: 1, priority: 'P1', score: 70, title: 'x' } as const
    await base.services.alerts.raise(tx, [
      { ...alert, cveId: ID(1) },
      { ...alert, cveId: ID(2) },
    ])
  })
  await importText(nvd(record(1, { vulnStatus: 'Rejected', lastModified: '2031-02-01T00:00:00.000' })))
  const alerts = (await base.services.alerts.page({})).items.map(({ cve_id, state }) => [cve_id, state])
  expect(alerts.sort()).toEqual([
    [ID(1), 'ACKNOWLEDGED'],
    [ID(2), 'OPEN'],
  ])
})

describe('a file', () => {
  test('may be packed by gzip', async () => {
    expect(await importText(gzipSync(nvd(record(1))))).toMatchObject({ created: 1, error: null })
  })

  test('that was cut off keeps what it gave before, and says so', async () => {
    const text = nvd(record(1), record(2), record(3))
    const cut = await importText(text.slice(0, text.indexOf(ID(3))))
    expect(cut).toMatchObject({ created: 2 })
    expect(cut.error).toContain('ends in the middle')
    const whole = gzipSync(
      nvd(...Array.from({ length: 3000 }, (_, n) => record(n + 10, { descriptions: [{ lang: 'en', value: `${n} ${Math.sin(n)}` }] }))),
    )
    const packed = await importText(whole.subarray(0, whole.length - 2000))
    expect(packed.error).toContain('not downloaded whole')
    expect(packed.created).toBeGreaterThan(500)
  })

  test('of the removed form is refused with a sentence', async () => {
    expect((await importText('{"CVE_Items":[{"cve":{"CVE_data_meta":{"ID":"CVE-2031-0001"}}}]}')).error).toContain('form 1.1')
  })

  test('that is none is refused', async () => {
    await expect(base.importPath(join(base.folder, 'absent'))).rejects.toThrow('does not exist')
    await expect(base.importPath(base.folder)).rejects.toThrow('not a regular file')
  })

  test('says what it refused', async () => {
    expect(await importText(nvd(record(1), { id: 'x' }, { id: ID(3) }))).toMatchObject({
      created: 1,
      refused: 2,
      refusals: ['a record: it has no CVE identifier', `${ID(3)}: it does not say when it was changed`],
    })
  })
})

describe('the list', () => {
  beforeEach(async () => {
    const told = (number: number, value: string, base: number) => record(number, { descriptions: [{ lang: 'en', value }] }, base)
    await importText(
      nvd(
        told(1, 'Remote code execution in 100% of cases', 9),
        told(2, 'Remote code may run', 8),
        told(3, 'snake_case and back\\slash', 7),
        told(4, 'snakeXcase', 6),
      ),
    )
    await importText(kev(kevEntry(3)))
  })
  // biome-ignore format: one case per line
  test.each([
    { q: 'remote code',        want: [1, 2] },
    { q: 'REMOTE CODE EXEC',   want: [1] },
    { q: 'code remote',        want: [] },
    { q: '100%',               want: [1] },
    { q: '%',                  want: [1] },
    { q: '_',                  want: [3] },
    { q: 'snake_case',         want: [3] },
    { q: 'back\\slash',        want: [3] },
    { q: '\\',                 want: [3] },
    { q: 'CVE-2031-0002',      want: [2] },
    { q: 'cve-2031-000',       want: [3, 1, 2, 4] },
    { q: '2031-0004',          want: [4] },
    { q: "' or 1=1 --",        want: [] },
    { q: "a' & 'b",            want: [] },
  ])('finds "$q" as it stands', async ({ q, want }) => {
    const page = await base.services.cves.page({ q })
    expect(page.items.map(({ id }) => id)).toEqual(want.map(ID))
    expect(page.total).toBe(want.length)
  })

  test('filters by priority and KEV', async () => {
    const ids = async (query: Parameters<typeof base.services.cves.page>[0]) =>
      (await base.services.cves.page(query)).items.map(({ id }) => id)
    expect(await ids({ kev: true })).toEqual([ID(3)])
    expect(await ids({ kev: false, q: 'snakeX' })).toEqual([ID(4)])
    expect(await ids({ priority: 'p1' })).toEqual([ID(3)])
    expect(await ids({ priority: 'P0,P1', exploit: true })).toEqual([])
    await expect(base.services.cves.page({ priority: 'P9' })).rejects.toThrow('P9')
  })

  test('is walked without a gap or a repeat', async () => {
    await importText(nvd(...Array.from({ length: 120 }, (_, n) => record(n + 100, {}, (n % 3) + 1))))
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await base.services.cves.page(cursor == null ? {} : { cursor })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next
    } while (cursor != null)
    expect(seen).toHaveLength(124)
    expect(new Set(seen).size).toBe(124)
  })
})

test('a verdict is given from what is stored', async () => {
  await importText(nvd(record(1)))
  expect(await base.services.cves.judge('cve-2031-0001', { product: 'Mail', vendor: 'Acme', version: '1.0' })).toMatchObject({
    verdict: 'VULNERABLE',
    range: 'below 2.0',
  })
  await expect(base.services.cves.judge(ID(7), { product: 'Mail' })).rejects.toThrow('not stored')
  await expect(base.services.cves.get('x')).rejects.toThrow('not a CVE identifier')
})

test('a rescore changes nothing that was right, and mends what was not', async () => {
  await importText(nvd(record(1), record(2)))
  expect(await base.services.cveScores.rescoreAll(COMMAND_LINE_ACTOR)).toEqual({ scores: 0, priorities: 0 })
  await sql`update cves set score = 99, priority = 'P0' where id = ${ID(1)}`.execute(base.services.db)
  expect(await base.services.cveScores.rescoreAll(COMMAND_LINE_ACTOR)).toEqual({ scores: 1, priorities: 1 })
  expect(await scoreOf(1)).toMatchObject({ score: 39, history: ['rescore'] })
})

test('the journal has a row for every import, whole or broken off, and for every rescore', async () => {
  const before = (await journal()).length
  await importText(nvd(record(1)))
  const cut = nvd(record(2), record(3)).slice(0, -20)
  expect((await importText(cut)).error).toEqual(expect.any(String))
  await base.services.cveScores.rescoreAll(COMMAND_LINE_ACTOR)
  expect((await journal()).slice(before)).toEqual([
    { action: 'cves.imported', outcome: 'SUCCESS', target_type: 'file' },
    { action: 'cves.imported', outcome: 'FAILURE', target_type: 'file' },
    { action: 'cves.rescored', outcome: 'SUCCESS', target_type: 'cves' },
  ])
})

async function journal() {
  return await base.services.db.selectFrom('audit_events').select(['action', 'outcome', 'target_type']).orderBy('id').execute()
}
