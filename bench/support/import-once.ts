import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { createServices } from '#entrypoints/services.ts'
import { escapeCopyText } from '#kernel/copy-text.ts'
import { JsonScanner } from '#kernel/json-scanner.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { openDecodedFile } from '#platform/decoding/decoded-file.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR } from './bench-base.ts'

// A process of its own: imports one file, by the product or by the least that has to be done, and tells how long it took and its peak memory.
const path = process.env['BENCH_FILE'] ?? ''
const run = process.env['BENCH_FLOOR'] === 'true' ? bareImport : productImport
const { records, seconds } = await run()
process.send?.({ records, seconds, rssMb: Math.round(process.resourceUsage().maxRSS / 1024) })
process.disconnect()

async function productImport(): Promise<{ records: number; seconds: number }> {
  const config = loadConfig({ ...process.env, SECRET_KEY: 'benchmark '.repeat(5), SVC_ENV_FILE: '' }, '/')
  const services = await createServices(config, SILENT_LOGGING, 'svc bench')
  const startMs = performance.now()
  const result = await services.cvesImport.importFile(BENCH_ACTOR, path, {
    onlyKnown: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const seconds = (performance.now() - startMs) / 1000
  await services.close()
  if (result.error !== null) throw new Error(result.error)
  return { records: result.records, seconds }
}

/** Unpack, parse each record, and COPY it as it is into a table without an index, which keeps it: COPY ends with a commit that waits for the disk. */
async function bareImport(): Promise<{ records: number; seconds: number }> {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  const startMs = performance.now()
  const file = await openDecodedFile(path)
  const copy = client.query(copyFrom('copy bare_cves from stdin'))
  let lines = ''
  let records = 0
  const scanner = new JsonScanner([['vulnerabilities', 'cve_items']], 'array', ({ text }) => {
    const raw = JSON.parse(text)
    records++
    lines += `${raw.cve?.id ?? raw.id}\t${escapeCopyText(text)}\n`
  })
  const decoder = new StringDecoder('utf8')
  for await (const chunk of file.read()) {
    scanner.push(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
    if (!copy.write(lines)) await once(copy, 'drain')
    lines = ''
  }
  scanner.end()
  copy.end()
  await once(copy, 'finish')
  const seconds = (performance.now() - startMs) / 1000
  await file.close()
  await client.end()
  return { records, seconds }
}
