import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

// C12: an excluded indicator is absent from everything that counts, hunts, correlates or shares. Every operation and every statement that reads
// indicators has to be in one of these tables, so that a new one cannot forget.

const ADMIN = { name: 'admin', role: 'ADMIN' } as const
const VALUE = 'silenced.example.org'
const OTHERS = ['kept-1.example.org', 'kept-2.example.org', 'kept-3.example.net']

type Surface =
  /** Shows or counts indicators: without the excluded one. */
  | { rule: 'absent'; read: () => Promise<unknown>; before: unknown; after: unknown }
  /** Says that the value is excluded, since when and why. */
  | { rule: 'tells'; read: () => Promise<unknown>; before: unknown; after: unknown }
  /** Changes something; what it shows of indicators is told with it. */
  | { rule: 'changes' }
  /** The record of a case: keeps what it was about when it was written. */
  | { rule: 'keeps' }
  /** Holds no indicator at all. */
  | { rule: 'none' }
  /** Speaks of what a publisher lists or what a run read, which an exclusion does not change; no value is shown. */
  | { rule: 'of the publisher' }

let lists: ListServer
let app: TestApp
let feedId = ''
let indicatorId = ''
let incidentId = ''
beforeAll(async () => {
  lists = await startListServer()
  app = await createTestApp({ OUTBOUND_ALLOW_HOSTS: lists.host })
  lists.publish('list', [VALUE, ...OTHERS].join('\n'))
  const { services } = app
  feedId = (await services.feeds.create(ADMIN, { name: 'list', url: lists.urlOf('list'), format: 'CSV' })).id
  await services.collect.collect(ADMIN, feedId)
  await services.warningLists.import(ADMIN, { name: 'a list', type: 'string', list: [VALUE, OTHERS[0] ?? ''] })
  await services.quality.compute(ADMIN)
  indicatorId = (await services.indicators.page({ value: VALUE })).items[0]?.id ?? ''
  for (const title of ['one', 'other'])
    incidentId = (await services.incidents.open(ADMIN, { title, severity: 'HIGH', indicator_ids: [indicatorId] })).id
})
afterAll(async () => {
  await app.close()
  await lists.close()
})

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await app.call(method, path, 'ADMIN', body)
  expect(answer.statusCode, `${method} ${path}: ${answer.body}`).toBe(200)
  return answer.json()
}
type Page = { items: { value: string; active: boolean; exclusion: { reason: string } | null }[]; total: number }
const listed = async (query = '') => {
  const { items, total } = await ask<Page>('GET', `/api/v1/indicators${query}`)
  return { shown: items.some(({ value }) => value === VALUE), total }
}
type OfFeed = { quality: { held: number; warned_count: number }; warning_lists: { examples: { value: string }[] }[] }

const SURFACES: Record<string, Surface> = {
  'GET /api/v1/indicators': {
    rule: 'absent',
    read: async () => await Promise.all(['', '?active=true', `?feed_id=${feedId}`, '?type=DOMAIN', '?min_confidence=1'].map(listed)),
    before: Array(5).fill({ shown: true, total: 4 }),
    after: Array(5).fill({ shown: false, total: 3 }),
  },
  'GET /api/v1/indicators/{id}': {
    rule: 'tells',
    read: async () => {
      const { active, exclusion } = await ask<Page['items'][number]>('GET', `/api/v1/indicators/${indicatorId}`)
      return [active, exclusion?.reason]
    },
    before: [true, undefined],
    after: [false, 'harmless'],
  },
  'POST /api/v1/indicators/lookup': {
    rule: 'tells',
    read: async () => {
      const { items } = await ask<{ items: { status: string; exclusion: { reason: string } | null }[] }>(
        'POST',
        '/api/v1/indicators/lookup',
        { values: [VALUE, `http://${VALUE}/a`] },
      )
      return items.map(({ status, exclusion }) => [status, exclusion?.reason])
    },
    before: [
      ['known', undefined],
      ['known', undefined],
    ],
    after: [
      ['excluded', 'harmless'],
      ['excluded', 'harmless'],
    ],
  },
  'GET /metrics': {
    rule: 'absent',
    read: async () => /^svc_indicators_active (\d+)$/m.exec((await app.call('GET', '/metrics')).body)?.[1],
    before: '4',
    after: '3',
  },
  'GET /api/v1/feeds/quality': {
    rule: 'absent',
    read: async () => {
      await app.services.quality.compute(ADMIN)
      const { items } = await ask<{ items: { held: number; warned_count: number }[] }>('GET', '/api/v1/feeds/quality')
      return items.map(({ held, warned_count }) => [held, warned_count])
    },
    before: [[4, 2]],
    after: [[3, 1]],
  },
  'GET /api/v1/feeds/{id}/quality': {
    rule: 'absent',
    read: async () => {
      // Also before the report is worked out again.
      const { warning_lists } = await ask<OfFeed>('GET', `/api/v1/feeds/${feedId}/quality`)
      return warning_lists[0]?.examples.map(({ value }) => value).sort()
    },
    before: [OTHERS[0], VALUE],
    after: [OTHERS[0]],
  },
  'GET /api/v1/exclusions': {
    rule: 'tells',
    read: async () => (await ask<{ items: { value: string }[] }>('GET', '/api/v1/exclusions')).items.map(({ value }) => value),
    before: [],
    after: [VALUE],
  },
  'GET /api/v1/exclusions/{id}': { rule: 'none' },
  'POST /api/v1/exclusions': { rule: 'changes' },
  'DELETE /api/v1/exclusions/{id}': { rule: 'changes' },
  'POST /api/v1/exclusions/lists': { rule: 'changes' },
  'DELETE /api/v1/exclusions/lists/{id}': { rule: 'changes' },
  'POST /api/v1/indicators': { rule: 'changes' },
  'GET /api/v1/feeds': { rule: 'of the publisher' },
  'GET /api/v1/feeds/health': { rule: 'of the publisher' },
  'GET /api/v1/feeds/{id}': { rule: 'of the publisher' },
  'GET /api/v1/feeds/{id}/runs': { rule: 'of the publisher' },
  'POST /api/v1/feeds': { rule: 'changes' },
  'PATCH /api/v1/feeds/{id}': { rule: 'changes' },
  // Deletes what is stored, excluded or not, and names some of it.
  'DELETE /api/v1/feeds/{id}': { rule: 'changes' },
  'POST /api/v1/feeds/{id}/fetch': { rule: 'changes' },
  'POST /api/v1/feeds/probe': { rule: 'changes' },
  'POST /api/v1/feeds/quality': { rule: 'changes' },
  'GET /api/v1/incidents/{id}/related': {
    rule: 'absent',
    read: async () => {
      const { items } = await ask<{ items: { title: string }[] }>('GET', `/api/v1/incidents/${incidentId}/related`)
      return items.map(({ title }) => title)
    },
    before: ['one'],
    after: [],
  },
  'POST /api/v1/incidents/related': {
    rule: 'absent',
    read: async () => {
      const { items } = await ask<{ items: unknown[] }>('POST', '/api/v1/incidents/related', { indicator_ids: [indicatorId] })
      return items.length
    },
    before: 2,
    after: 0,
  },
  'GET /api/v1/incidents': { rule: 'none' },
  'GET /api/v1/incidents/assignees': { rule: 'none' },
  'GET /api/v1/incidents/{id}': { rule: 'keeps' },
  'GET /api/v1/incidents/{id}/timeline': { rule: 'keeps' },
  'GET /api/v1/incidents/{id}/report': { rule: 'keeps' },
  'GET /api/v1/dashboard/soc': { rule: 'none' },
  'GET /api/v1/dashboard/soc/csv': { rule: 'none' },
  'GET /api/v1/warning-lists': { rule: 'none' },
  'POST /api/v1/warning-lists': { rule: 'changes' },
  'DELETE /api/v1/warning-lists/{id}': { rule: 'changes' },
}

/** Parts of the interface that know no indicator, and changes of incidents, which answer with what they changed. */
const WITHOUT_INDICATORS =
  /^(POST|PUT|PATCH|DELETE) \/api\/v1\/incidents(?!\/related)|^\S+ (\/health|\/ready|\/api\/v1\/(auth|users|settings|audit|stream|cves|alerts|product-aliases)(\/|$))/

/**
 * Statements that read indicators or their links and do not ask about exclusions, with the reason. A statement that counts, hunts, correlates or
 * shares has no place here: it asks `is_excluded`.
 */
const UNASKED: Record<string, string> = {
  'exclusions.store.ts: markCoveredByList': 'writes the marks',
  'exclusions.store.ts: refreshMarks': 'writes the marks',
  'indicators.store.ts: listSightings': 'the sources of one indicator, which is shown as excluded',
  'indicators.store.ts: markExpired': 'expiry goes on under an exclusion',
  'listing.store.ts: compareListing': 'a list is compared with what its source listed',
  'listing.store.ts: insertFreshChunk': 'writes; the trigger marks',
  'listing.store.ts: updateChangedChunk': 'writes',
  'sightings.store.ts: orderDelivered': 'what is stored is found again, excluded or not',
  'sightings.store.ts: writeDelivered': 'writes; the trigger marks',
  'submission.store.ts: saveSubmission': 'writes; the trigger marks',
  'sources.store.ts: unmarkListed': 'writes',
  'orphans.store.ts: countOrphans': 'what a purge deletes, excluded or not',
  'orphans.store.ts: listOrphans': 'what a purge deletes, excluded or not',
  'orphans.store.ts: purgeStretch': 'deletes',
  'indicators.store.ts: listNamed': 'what an analyst names to link it',
  'incident-links.store.ts: unlinkIndicator': 'the record of a case keeps what it was about',
  'incident-links.store.ts: listLinkedIndicators': 'the record of a case keeps what it was about',
  'matches.store.ts: createHits': 'hits are counted by the quality report, which asks',
  'matches.store.ts: pageValues': 'hits are counted by the quality report, which asks',
}
const READS_INDICATORS = /\b(from|join|using)\s+(indicators|indicator_sources|source_sightings)\b/
const ASKS = /\b(is_excluded|excluded_values)\b/

describe('C12: an excluded indicator', () => {
  test('every operation says what it shows of an excluded indicator', () => {
    const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<string, unknown>>
    }
    const operations = Object.entries(document.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .filter((operation) => !WITHOUT_INDICATORS.test(operation))
    expect(operations.sort()).toEqual(Object.keys(SURFACES).sort())
  })

  test('every statement that reads indicators asks whether they are excluded, or says why not', () => {
    const folder = new URL('../../docs/sql/', import.meta.url)
    const unasked = readdirSync(folder)
      .flatMap((file) =>
        readFileSync(new URL(file, folder), 'utf8')
          .split(/^-- (?=\S+\.store\.ts: )/m)
          .slice(1),
      )
      .map((section) => ({ title: section.slice(0, section.indexOf('\n')).replace(/(: \w+).*/, '$1'), section }))
      .filter(({ section }) => READS_INDICATORS.test(section) && !ASKS.test(section))
      .map(({ title }) => title)
    expect([...new Set(unasked)].sort()).toEqual(Object.keys(UNASKED).sort())
  })

  test('is gone from every surface at once, and comes back to each when only the exclusion goes', async () => {
    const read = async () => {
      const found: Record<string, unknown> = {}
      for (const [operation, surface] of Object.entries(SURFACES)) if ('read' in surface) found[operation] = await surface.read()
      return found
    }
    const wanted = (when: 'before' | 'after') =>
      Object.fromEntries(
        Object.entries(SURFACES).flatMap(([operation, surface]) => ('read' in surface ? [[operation, surface[when]]] : [])),
      )
    expect(await read()).toEqual(wanted('before'))
    const { exclusion } = await ask<{ exclusion: { id: string } }>('POST', '/api/v1/exclusions', { value: VALUE, reason: 'harmless' })
    expect(await read()).toEqual(wanted('after'))

    // What only reads must not show it either, wherever it may be called.
    for (const [operation, { rule }] of Object.entries(SURFACES)) {
      if (!operation.startsWith('GET ') || rule === 'tells' || rule === 'keeps') continue
      const path = operation
        .slice('GET '.length)
        .replace('{id}', operation.includes('feeds') ? feedId : operation.includes('incidents') ? incidentId : exclusion.id)
      if (operation !== 'GET /api/v1/exclusions/{id}') expect((await app.call('GET', path, 'ADMIN')).body, operation).not.toContain(VALUE)
    }

    for (const role of ['VIEWER', 'ANALYST'] as const) {
      const refused = await app.call('DELETE', `/api/v1/exclusions/${exclusion.id}`, role)
      expect(refused.json()).toMatchObject({ status: 403, code: 'forbidden' })
    }
    expect(await ask('DELETE', `/api/v1/exclusions/${exclusion.id}?dry_run=true`)).toMatchObject({
      removed: false,
      comeback: { active: 1 },
    })
    expect(await listed()).toEqual({ shown: false, total: 3 })
    expect(await ask('DELETE', `/api/v1/exclusions/${exclusion.id}`)).toMatchObject({ removed: true, comeback: { active: 1 } })
    expect(await read()).toEqual(wanted('before'))
  })

  test('stays away while it is collected, submitted and excluded at the same moment, 50 times', async () => {
    for (let round = 0; round < 50; round++) {
      const value = `race-${round}.example.net`
      lists.publish('list', [VALUE, ...OTHERS, value].join('\n'))
      const [, answer] = await Promise.all([
        round % 2 === 0
          ? app.services.collect.collect(ADMIN, feedId)
          : app.services.indicators.submit(ADMIN, [{ value }, { value: `other-${round}.example.net` }]),
        ask<{ exclusion: { id: string } }>('POST', '/api/v1/exclusions', { value, reason: 'harmless' }),
      ])
      expect(answer.exclusion.id).not.toBe('')
      expect(await ask<Page>('GET', `/api/v1/indicators?value=${value}`)).toMatchObject({ items: [{ active: false }] })
    }
  })
})
