import type { LogFields } from '#platform/logging/logger.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import {
  createOutbound,
  type Downloaded,
  type DownloadRequest,
  type Outbound,
  OutboundError,
  type OutboundLimits,
  type OutboundOptions,
} from './outbound.ts'
import type { Spool } from './spool.ts'

export type Trial = {
  outbound: Outbound
  /** The pauses between attempts, in ms; nothing is waited for. */
  gaps: number[]
  /** Every log record as JSON. */
  records: string[]
}

/** Short enough for a test, far longer than loopback needs. */
const SHORT: OutboundLimits = { connectMs: 2000, headersMs: 2000, bodyIdleMs: 2000, totalMs: 5000 }

/** An outbound door that may speak to every loopback port, waits for nothing between attempts and keeps its log. */
export function openTrial(options: Partial<Omit<OutboundOptions, 'limits'>> & { limits?: Partial<OutboundLimits> } = {}): Trial {
  const gaps: number[] = []
  const records: string[] = []
  const keep = (event: string, fields: LogFields = {}) => void records.push(JSON.stringify({ event, ...fields }))
  const outbound = createOutbound({
    allowHosts: parseAllowedHosts('127.0.0.1'),
    userAgent: 'svc/test',
    log: { debug: keep, info: keep, warn: keep, error: keep },
    sleep: async (ms) => void gaps.push(ms),
    random: () => 0.5,
    ...options,
    limits: { ...SHORT, ...options.limits },
  })
  return { outbound, gaps, records }
}

/** A request without keys for up to 1 MiB. */
export function get(url: string, more: Partial<DownloadRequest> = {}): DownloadRequest {
  return { url, keys: {}, maxBytes: 1_048_576, ...more }
}

/** The refusal that a download must end in. */
export async function refusal(downloading: Promise<Downloaded>): Promise<OutboundError> {
  try {
    await downloading
  } catch (error) {
    if (error instanceof OutboundError) return error
    throw error
  }
  throw new Error('The download was expected to fail.')
}

/** The body that a download must end in, as text. */
export async function bodyText(downloading: Promise<Downloaded>): Promise<string> {
  const downloaded = await downloading
  if (downloaded.kind !== 'ok') throw new Error('A body was expected.')
  const bytes = await readSpool(downloaded.body)
  await downloaded.body.dispose()
  return bytes.toString('utf8')
}

export async function readSpool(spool: Spool): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of spool.read()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
