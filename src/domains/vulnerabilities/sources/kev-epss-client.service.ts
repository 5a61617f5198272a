import { StringDecoder } from 'node:string_decoder'
import type { Downloaded, Outbound } from '#platform/outbound/outbound.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { PublisherError } from './publisher.ts'
import { EpssReader } from './read-epss.ts'

/** A list as text in passing, or the word that it is the one of the last time. */
export type PublishedText<Result> = { kind: 'unchanged' } | { kind: 'read'; result: Result; etag?: string; lastModified?: string }
/** What the publisher gave the last time. */
export type Validators = { etag: string | null; last_modified: string | null }

export type KevEpssClient = {
  /** CISA's catalogue. @throws PublisherError; whatever `read` throws */
  kevCatalogue<Result>(known: Validators, signal: AbortSignal, read: Read<Result>): Promise<PublishedText<Result>>
  /** The scores of a day, all of them. */
  epssDay<Result>(known: Validators, signal: AbortSignal, read: Read<Result>): Promise<PublishedText<Result>>
  /** The scores of some CVEs as one text of lines, asked for by 100; undefined when none of them has one. */
  epssOf(cveIds: readonly string[], signal: AbortSignal): Promise<string | undefined>
}
type Read<Result> = (text: AsyncIterable<string>) => Promise<Result>

/** CVEs of one question: the API takes 2,000 characters. Source: spec, "Limits", EPSS batch. */
const EPSS_BATCH = 100
/** Source: KEV has 1.3 MB, a day of EPSS 14 MB unpacked. Assumption: ten times as much. */
const LIST_MAX_BYTES = 157_286_400
const NOTHING_KNOWN: Validators = { etag: null, last_modified: null }

/** Fetches KEV and EPSS through the outbound door. */
export function createKevEpssClient({
  outbound,
  kevUrl,
  epssCsvUrl,
  epssApiUrl,
}: {
  outbound: Pick<Outbound, 'download'>
  kevUrl: string
  epssCsvUrl: string
  epssApiUrl: string
}): KevEpssClient {
  async function fetchText<Result>(
    { name, url, known }: { name: string; url: string; known: Validators },
    signal: AbortSignal,
    read: Read<Result>,
  ): Promise<PublishedText<Result>> {
    const download = await downloaded(
      name,
      async () =>
        await outbound.download({
          url,
          keys: {},
          maxBytes: LIST_MAX_BYTES,
          unpackArchive: true,
          signal,
          ...(known.etag === null ? {} : { etag: known.etag }),
          ...(known.last_modified === null ? {} : { lastModified: known.last_modified }),
        }),
    )
    if (download.kind === 'not_modified') return { kind: 'unchanged' }
    const { body, etag, lastModified } = download
    try {
      const result = await read(asText(body.read()))
      return { kind: 'read', result, ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) }
    } finally {
      await body.dispose()
    }
  }

  return {
    kevCatalogue: async (known, signal, read) => await fetchText({ name: 'KEV', url: kevUrl, known }, signal, read),
    epssDay: async (known, signal, read) => await fetchText({ name: 'EPSS', url: epssCsvUrl, known }, signal, read),
    async epssOf(cveIds, signal) {
      const lines: string[] = []
      let day: string | undefined
      for (let from = 0; from < cveIds.length; from += EPSS_BATCH) {
        const url = new URL(epssApiUrl)
        url.searchParams.set('cve', cveIds.slice(from, from + EPSS_BATCH).join(','))
        const reader = new EpssReader(({ cveId, probability, percentile }) => void lines.push(`${cveId},${probability},${percentile}`))
        await fetchText({ name: 'EPSS', url: url.href, known: NOTHING_KNOWN }, signal, async (text) => {
          for await (const chunk of text) reader.push(chunk)
          // CVEs without a score are left out of the answer.
          reader.end({ mayBeEmpty: true })
        })
        day = reader.header.day ?? day
      }
      return lines.length === 0 ? undefined : [`#score_date:${day ?? ''}`, ...lines, ''].join('\n')
    },
  }
}

async function downloaded(name: string, download: () => Promise<Downloaded>): Promise<Downloaded> {
  try {
    return await download()
  } catch (error) {
    if (error instanceof OutboundError) throw new PublisherError(`${name}: ${error.message}`, error.status)
    throw error
  }
}

async function* asText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  for await (const chunk of bytes) yield decoder.write(chunk)
  yield decoder.end()
}
