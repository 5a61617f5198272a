import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { epss, ID, kev, kevEntry, nvd, record, useCveBase } from './cve-files.test-support.ts'

const base = useCveBase()
const { importText, scoreOf, writersOf } = base

describe('KEV', () => {
  test('lifts what it names, and lets it go again', async () => {
    await importText(nvd(record(1, {}, 5), record(2)))
    expect(await importText(kev(kevEntry(1), kevEntry(9)))).toMatchObject({ source: 'KEV', created: 2, removed: 0, priorities: 1 })
    expect(await scoreOf(1)).toEqual({ score: 40, priority: 'P1', raw: 40, floor: true, history: ['kev_added+floor_kev'] })
    await importText(kev(kevEntry(1, { knownRansomwareCampaignUse: 'Known' }), kevEntry(9)))
    expect(await scoreOf(1)).toMatchObject({ score: 45, priority: 'P1' })
    expect(await importText(kev(kevEntry(9)))).toMatchObject({ removed: 1, priorities: 1 })
    expect(await scoreOf(1)).toMatchObject({ score: 20, priority: 'P3', history: ['kev_removed', 'kev_added+floor_kev'] })
  })

  test('counts for a CVE that is stored later', async () => {
    await importText(kev(kevEntry(1)))
    await importText(nvd(record(1, {}, 5)))
    expect(await scoreOf(1)).toMatchObject({ score: 40, priority: 'P1', floor: true })
  })

  test('shows what only it names, until NVD describes it', async () => {
    await importText(epss([[7001, 0.81, 0.99]]))
    await importText(kev(kevEntry(7001, { vulnerabilityName: 'Zeta Gateway flaw' })))
    const stub = await base.services.cves.get(ID(7001))
    expect(stub).toMatchObject({ status: 'Known from KEV only', description: 'Zeta Gateway flaw', priority: 'P1', kev: true, cvss: null })
    expect(stub.score).toBe(stub.breakdown.raw)
    expect((await base.services.cves.page({ q: 'zeta gate' })).items.map(({ id }) => id)).toEqual([ID(7001)])
    expect(await importText(nvd(record(7001, { lastModified: '1999-05-06T00:00:00.000' })))).toMatchObject({ created: 0, updated: 1 })
    expect(await base.services.cves.get(ID(7001))).toMatchObject({ status: 'Analyzed', kev: true, cvss: 9.8 })
    await importText(kev(kevEntry(7001, { vulnerabilityName: 'Another name' })))
    expect(await base.services.cves.get(ID(7001))).toMatchObject({ status: 'Analyzed' })
  })

  test('that is cut off, or takes off too many at once, changes nothing', async () => {
    const whole = kev(...Array.from({ length: 20 }, (_, n) => kevEntry(n + 1)))
    await importText(whole)
    expect((await importText(whole.slice(0, -100))).error).toContain('no whole JSON')
    expect((await importText(kev(kevEntry(1)))).error).toContain('take off 19 of 20')
    expect((await sql<{ count: number }>`select count(*)::int as count from kev_entries`.execute(base.services.db)).rows[0]?.count).toBe(20)
  })
})

describe('EPSS', () => {
  test('scores what it names; a day later only what differs is written', async () => {
    await importText(nvd(record(1), record(2), record(3)))
    expect(
      await importText(
        epss([
          [1, 0.25, 0.9],
          [2, 0.01, 0.5],
          [9, 0.5, 0.95],
        ]),
      ),
    ).toMatchObject({ source: 'EPSS', records: 3, updated: 3, priorities: 2 })
    expect(await scoreOf(1)).toMatchObject({ score: 54, priority: 'P2', history: ['epss'] })
    const before = await writersOf('epss_scores')
    expect(
      await importText(
        epss(
          [
            [1, 0.25, 0.9],
            [2, 0.01, 0.5],
            [9, 0.6, 0.95],
          ],
          'v1',
          '2031-02-04',
        ),
      ),
    ).toMatchObject({ updated: 1, removed: 0, priorities: 0 })
    expect((await writersOf('epss_scores')).filter((writer) => before.includes(writer))).toHaveLength(2)
    expect(await base.services.cves.get(ID(3))).toMatchObject({ epss: null, breakdown: { cap: 75 } })
  })

  test('names the model that it changed to', async () => {
    await importText(nvd(record(1)))
    await importText(epss([[1, 0.25, 0.9]]))
    await importText(epss([[1, 0.0, 0.1]], 'v2', '2031-02-05'))
    expect((await scoreOf(1)).history).toEqual(['epss_model:v2', 'epss'])
  })

  test('of an earlier day is refused', async () => {
    await importText(epss([[1, 0.25, 0.9]]))
    expect((await importText(epss([[1, 0.5, 0.9]], 'v1', '2031-02-01'))).error).toContain('of 2031-02-03 are stored already')
  })

  test('that leaves a CVE out takes its score away', async () => {
    await importText(nvd(record(1)))
    await importText(
      epss([
        [1, 0.25, 0.9],
        [2, 0.1, 0.1],
      ]),
    )
    expect(await importText(epss([[2, 0.1, 0.1]], 'v1', '2031-02-04'))).toMatchObject({ removed: 1 })
    expect(await base.services.cves.get(ID(1))).toMatchObject({ epss: null, score: 39 })
  })
})
