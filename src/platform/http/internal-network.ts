import type { FastifyRequest } from 'fastify'
import { type AddressScope, addressScope } from '#kernel/ip.ts'
import { canonicalAddress } from './trusted-proxies.ts'

const INTERNAL: readonly AddressScope[] = ['loopback', 'private', 'shared', 'link_local']
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/**
 * Whether a request comes from this machine or a network that is not routed over the internet.
 *
 * A request that was forwarded counts by the client that a trusted proxy names. Forwarded by anybody else, its peer says nothing about where it
 * comes from: a proxy that FORWARDED_ALLOW_IPS does not name stands in the internal network, too.
 */
export function isFromInternalNetwork(request: FastifyRequest): boolean {
  const scope = addressScope(request.ip)
  if (scope === undefined || !INTERNAL.includes(scope)) return false
  const wasForwarded = FORWARDING_HEADERS.some((header) => request.headers[header] !== undefined)
  return !wasForwarded || request.ip !== canonicalAddress(request.socket.remoteAddress?.split('%')[0] ?? '')
}
