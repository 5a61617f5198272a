import { DomainError } from '#kernel/errors.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { createMask } from '#platform/outbound/placeholders.ts'
import type { Spool } from '#platform/outbound/spool.ts'
import { excerpt } from '../parsers/feed-row.ts'
import { authorizationFor, type TaxiiAuth } from './taxii-auth.ts'

/** A page of objects on disk; it belongs to the caller. */
export type TaxiiPage = { body: Spool; contentType: string; addedLast: string | undefined }

export type TaxiiClient = {
  /** A discovery, root or list of collections as parsed JSON, with secrets masked. @throws TaxiiError, OutboundError */
  getResource(url: string, signal?: AbortSignal): Promise<unknown>
  /** A page of objects. @throws TaxiiError, OutboundError */
  getPage(url: string, signal?: AbortSignal): Promise<TaxiiPage>
}

export type TaxiiClientDeps = {
  outbound: Outbound
  auth: TaxiiAuth
  /** Keys by name, for the placeholders in addresses. */
  feedKeys: Readonly<Record<string, string>>
  /** Decoded bytes of one page. */
  maxBytes: number
}

/** Why a TAXII server gave no answer that can be used, as one masked sentence. */
export class TaxiiError extends DomainError {
  override readonly name = 'TaxiiError'
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super('upstream_unavailable', message)
    this.status = status
  }
}

/** Source: TAXII 2.1, 1.6.8. */
const MEDIA_TYPE = 'application/taxii+json;version=2.1'
/** `application/json` is what servers without care send; their answers are judged by what is in them. */
const TAKEN_TYPES: ReadonlySet<string> = new Set([
  'application/taxii+json',
  'application/json',
  'application/stix+json',
  'application/vnd.oasis.stix+json',
])
const ADDED_LAST = 'x-taxii-date-added-last'
/** A list of a thousand collections needs a fraction of it. Assumption. */
const RESOURCE_MAX_BYTES = 4_194_304

/** Speaks TAXII 2.1 through the outbound door. The credentials of a host go to that host only, and into no message. */
export function createTaxiiClient({ outbound, auth, feedKeys, maxBytes }: TaxiiClientDeps): TaxiiClient {
  const mask = createMask([...auth.secrets, ...Object.values(feedKeys)])

  async function get(url: string, limitBytes: number, signal: AbortSignal | undefined): Promise<TaxiiPage> {
    const verdict = outbound.judge(url)
    const authorization = verdict.ok ? authorizationFor(auth, verdict.url) : undefined
    const host = verdict.ok ? verdict.url.host : 'The server'
    try {
      const download = await outbound.download({
        url,
        keys: feedKeys,
        maxBytes: limitBytes,
        headers: { accept: MEDIA_TYPE },
        answerHeaders: [ADDED_LAST],
        ...(authorization === undefined ? {} : { credentialHeaders: { authorization }, staysHome: true }),
        ...(signal === undefined ? {} : { signal }),
      })
      if (download.kind === 'not_modified') throw new TaxiiError(`${host} answered "not modified" to an unconditional request.`)
      const { body, contentType = '', answerHeaders } = download
      const fault = mediaTypeFault(contentType)
      if (fault === undefined) return { body, contentType, addedLast: answerHeaders[ADDED_LAST] }
      await body.dispose()
      throw new TaxiiError(mask(`${host} ${fault}`))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw toTaxiiError(error, { host, hasCredentials: authorization !== undefined })
    }
  }

  return {
    async getResource(url, signal) {
      const { body } = await get(url, RESOURCE_MAX_BYTES, signal)
      try {
        const chunks: Buffer[] = []
        for await (const chunk of body.read()) chunks.push(Buffer.from(chunk))
        return parseJson(mask(Buffer.concat(chunks).toString('utf8')))
      } finally {
        await body.dispose()
      }
    },
    async getPage(url, signal) {
      return await get(url, maxBytes, signal)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TaxiiError('The answer is not JSON. Check that the address is that of a TAXII 2.1 server.')
  }
}

function mediaTypeFault(contentType: string): string | undefined {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const version = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('version='))
  if (!TAKEN_TYPES.has(type.trim()))
    return `answered with "${excerpt(contentType)}" where TAXII says ${MEDIA_TYPE}. Check that the address is that of a TAXII 2.1 server.`
  if (type.trim() === 'application/taxii+json' && version !== undefined && !/^version="?2\.[1-9]/.test(version))
    return `speaks another version of TAXII (${excerpt(version)}); version 2.1 is needed.`
  return undefined
}

function toTaxiiError(error: OutboundError, { host, hasCredentials }: { host: string; hasCredentials: boolean }): Error {
  const { status } = error
  const sentence =
    status === 401 || status === 403
      ? hasCredentials
        ? `${host} does not let the credentials that TAXII_AUTH has for it read this (status ${status}). Check them, and what the account may read.`
        : `${host} asks for credentials (status ${status}). Add this host to TAXII_AUTH and restart.`
      : status === 406
        ? `${host} does not speak TAXII 2.1 (status 406).`
        : status !== undefined && status >= 400 && status < 500 && status !== 429
          ? `${host} answered with status ${status}. \`svc taxii discover\` shows which collections there are.`
          : undefined
  return sentence === undefined ? error : new TaxiiError(sentence, status)
}
