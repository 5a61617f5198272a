import { DomainError } from '#kernel/errors.ts'
import { type CutAddress, cutAddress } from '../home-origin.ts'

/** Query members that the walk itself sets. */
const WALK_MEMBERS: ReadonlySet<string> = new Set(['limit', 'page', 'modified_since'])
/** The pulses of all to whom the holder of the key has subscribed. Source: the provider's API, `GET /api/v1/pulses/subscribed`. */
const SUBSCRIBED = '/api/v1/pulses/subscribed'
/** `2026-11-01T08:00:00`: moments of pulses are UTC and say no zone. */
const NAIVE_SECONDS_CHARACTERS = 19

/** Reads `PULSE_BASE_URL`. @throws setting_invalid */
export function parsePulseBase(setting: string): URL {
  const url = URL.canParse(setting) ? new URL(setting) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '')
    throw new DomainError(
      'setting_invalid',
      'PULSE_BASE_URL must be a web address without a user name or a query, such as https://pulses.example.org.',
    )
  return url
}

/**
 * A pulse feed may point at the provider only: the key goes with each request.
 *
 * Source: spec, "Feed". @throws pulse_host_required
 */
export function requirePulseHost(url: URL, base: URL): void {
  if (url.origin === base.origin) return
  const message = `A feed of the format PULSE may only point at ${base.origin}, the host of PULSE_BASE_URL.`
  throw new DomainError('pulse_host_required', message, [{ field: 'url', code: 'forbidden', message }])
}

/** The list that a feed's address means: its own path, or the subscriptions when it names the bare host. */
export function listAddress(url: string): CutAddress {
  const cut = cutAddress(url, WALK_MEMBERS)
  const bare = /^[a-z]+:\/\/[^/]+(?=\/?$)/i.exec(cut.path)?.[0]
  return bare === undefined ? cut : { ...cut, path: `${bare}${SUBSCRIBED}` }
}

/** What one page is asked for by. `modifiedSince`: RFC 3339 in UTC. */
export type PageRequest = { page: number; limit: number; modifiedSince?: string }

/** The address of a page. It is made from numbers alone: the `next` of a server is never followed. */
export function pageAddress({ path, filters }: CutAddress, { page, limit, modifiedSince }: PageRequest): string {
  const since = modifiedSince === undefined ? '' : `modified_since=${encodeURIComponent(modifiedSince.slice(0, NAIVE_SECONDS_CHARACTERS))}`
  return `${path}?${[filters, `limit=${limit}`, `page=${page}`, since].filter((member) => member !== '').join('&')}`
}
