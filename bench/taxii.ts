import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { bareCopy, bareMerge, emptyBase } from './support/floors.ts'
import { domainList } from './support/lists.ts'

// First collection of 100 000 indicators from a TAXII server, page by page, beside the same pages fetched bare and their values brought in by
// one COPY and one sorted INSERT per table.
const OBJECTS = 100_000
const PAGE_OBJECTS = 1000
const ROUNDS = 3
const GOAL = 1.5
const TAXII = 'application/taxii+json;version=2.1'
const FIRST_MS = Date.parse('2026-11-01T00:00:00Z')

/** An indicator as public servers publish it. */
function indicator(value: string, n: number): Record<string, unknown> {
  const time = new Date(FIRST_MS + n).toISOString()
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    created_by_ref: 'identity--96b9f522-7592-4000-8000-a8fa59a268af',
    created: time,
    modified: time,
    name: value,
    indicator_types: ['malicious-activity'],
    labels: ['phishing'],
    pattern: `[domain-name:value = '${value}']`,
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: time,
    object_marking_refs: ['marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487'],
  }
}

const list = domainList(OBJECTS)
const pages = Array.from({ length: OBJECTS / PAGE_OBJECTS }, (_, page) => {
  const from = page * PAGE_OBJECTS
  const last = from + PAGE_OBJECTS >= OBJECTS
  const objects = list.slice(from, from + PAGE_OBJECTS).map((value, n) => indicator(value, from + n))
  return Buffer.from(JSON.stringify({ more: !last, ...(last ? {} : { next: String(page + 1) }), objects }))
})
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('next') ?? '0')
  const added = new Date(FIRST_MS + (page + 1) * PAGE_OBJECTS - 1).toISOString()
  response.writeHead(200, { 'content-type': TAXII, 'x-taxii-date-added-last': added }).end(pages[page])
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
const url = `http://${host}/root/collections/b7dc78af-1d12-4059-898c-3f0e77636204/objects/`

async function bareFetch(): Promise<void> {
  for (let page = 0; page < pages.length; page++) await (await fetch(`${url}?next=${page}`)).arrayBuffer()
}

const base = await openBenchBase()
const config = loadConfig(
  { DATABASE_URL: base.appUrl, SECRET_KEY: 'benchmark '.repeat(5), OUTBOUND_ALLOW_HOSTS: host, SVC_ENV_FILE: '' },
  '/',
)
const services = await createServices(config, SILENT_LOGGING, 'svc bench taxii')
try {
  const { id } = await services.feeds.create(BENCH_ACTOR, { name: 'collection', url, format: 'TAXII', feed_type: 'phishing' })
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await emptyBase(base.bare)
    await base.bare.query('delete from collector_state')
    floor.push(
      await secondsOf(async () => {
        await bareFetch()
        await bareCopy(base.bare, list)
        await bareMerge(base.bare)
      }),
    )
    await emptyBase(base.bare)
    ours.push(
      await secondsOf(async () => {
        const run = await services.collect.collect(BENCH_ACTOR, id)
        if (run.new_count !== OBJECTS) throw new Error(`Only ${run.new_count} of ${OBJECTS} values came in: ${run.error}`)
      }),
    )
  }
  report(`First collection of ${OBJECTS} objects in ${pages.length} pages of TAXII`, { ours, floor, goal: GOAL })
} finally {
  await services.close()
  await base.close()
  server.close()
  server.closeAllConnections()
}
