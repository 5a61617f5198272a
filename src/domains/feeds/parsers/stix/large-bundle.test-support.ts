import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { readStix } from '../read-feed.ts'

/** One indicator of a generated bundle; `n` makes it different from all others. */
export function generatedIndicator(n: number): string {
  return JSON.stringify({
    type: 'indicator',
    spec_version: '2.1',
    id: generatedId('indicator', n),
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    name: `Host ${n}`,
    description: 'Seen as a command-and-control host of a generated family.',
    indicator_types: ['malicious-activity'],
    labels: ['botnet', 'generated'],
    confidence: 60,
    pattern: `[domain-name:value = 'host-${n}.generated.example.com']`,
    pattern_type: 'stix',
    valid_from: '2026-01-01T00:00:00Z',
  })
}

export function generatedId(type: string, n: number): string {
  return `${type}--00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

/** A bundle of so many indicators, a chunk at a time, with a family behind them that every tenth is attributed to. */
export async function* generatedBundle(indicators: number): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"type":"bundle","id":"${generatedId('bundle', 0)}","objects":[`)
  const perChunk = 100
  for (let from = 0; from < indicators; from += perChunk) {
    const some = Array.from({ length: Math.min(perChunk, indicators - from) }, (_, n) => generatedIndicator(from + n))
    yield Buffer.from(`${some.join(',\n')},`)
    // Lets messages and collections of garbage in, as reading from a socket does.
    if (from % 10_000 === 0) await pause(0)
  }
  for (let n = 0; n < indicators; n += 10) {
    const link = { type: 'relationship', relationship_type: 'indicates', id: generatedId('relationship', n) }
    yield Buffer.from(`${JSON.stringify({ ...link, source_ref: generatedId('indicator', n), target_ref: generatedId('malware', 1) })},`)
  }
  yield Buffer.from(`{"type":"malware","id":"${generatedId('malware', 1)}","name":"Generated Bot","is_family":true}]}`)
}

// In a thread of its own, whose heap has a limit: reads a generated bundle and tells what it gave.
if (!isMainThread && typeof workerData?.indicators === 'number') {
  let rows = 0
  let repeated = 0
  let largestBatch = 0
  for await (const batch of readStix(generatedBundle(workerData.indicators), {})) {
    rows += batch.length
    repeated += batch.filter(({ repeat }) => repeat === true).length
    largestBatch = Math.max(largestBatch, batch.length)
  }
  parentPort?.postMessage({ rows, repeated, largestBatch })
}
