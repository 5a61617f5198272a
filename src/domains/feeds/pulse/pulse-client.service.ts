import { DomainError } from '#kernel/errors.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import type { Spool } from '#platform/outbound/spool.ts'
import { requirePulseHost } from './pulse-address.ts'

/** A page of pulses on disk; it belongs to the caller. `date`: the server's clock, as it came. */
export type PulsePage = { body: Spool; contentType: string; date: string | undefined }

export type PulseClient = {
  /** A page of pulses. @throws PulseError, OutboundError, pulse_host_required */
  getPage(url: string, signal?: AbortSignal): Promise<PulsePage>
}

export type PulseClientDeps = {
  outbound: Outbound
  /** Of the provider; its key goes nowhere else. */
  base: URL
  apiKey: string | undefined
  /** Keys by name, for the placeholders in addresses. */
  feedKeys: Readonly<Record<string, string>>
  /** Decoded bytes of one page. */
  maxBytes: number
}

/** Why the provider gave no answer that can be used, as one sentence. */
export class PulseError extends DomainError {
  override readonly name = 'PulseError'
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super('upstream_unavailable', message)
    this.status = status
  }
}

/** Source: the provider's API. */
const KEY_HEADER = 'x-otx-api-key'

/** Asks the pulse provider through the outbound door. Its key goes to the provider's own host, not along a redirect, and into no message. */
export function createPulseClient({ outbound, base, apiKey, feedKeys, maxBytes }: PulseClientDeps): PulseClient {
  return {
    async getPage(url, signal) {
      const verdict = outbound.judge(url)
      if (verdict.ok) requirePulseHost(verdict.url, base)
      try {
        const download = await outbound.download({
          url,
          keys: feedKeys,
          maxBytes,
          headers: { accept: 'application/json' },
          answerHeaders: ['date'],
          staysHome: true,
          ...(apiKey === undefined ? {} : { credentialHeaders: { [KEY_HEADER]: apiKey } }),
          ...(signal === undefined ? {} : { signal }),
        })
        if (download.kind === 'not_modified') throw new PulseError(`${base.host} answered "not modified" to an unconditional request.`)
        return { body: download.body, contentType: download.contentType ?? '', date: download.answerHeaders['date'] }
      } catch (error) {
        throw error instanceof OutboundError ? toPulseError(error, base.host, apiKey !== undefined) : error
      }
    },
  }
}

function toPulseError(error: OutboundError, host: string, hasKey: boolean): Error {
  const { status } = error
  if (status === 401 || status === 403)
    return new PulseError(
      hasKey
        ? `${host} does not take the key in PULSE_API_KEY (status ${status}). Check it, and what it may read.`
        : `${host} asks for a key (status ${status}). Set PULSE_API_KEY and restart.`,
      status,
    )
  return status === 404 ? new PulseError(`${host} has no such list of pulses (status 404). Check the address.`, status) : error
}
