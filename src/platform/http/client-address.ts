import type { FastifyInstance } from 'fastify'
import { trimOf } from '#kernel/text.ts'
import { canonicalAddress, type TrustedProxies } from './trusted-proxies.ts'

/** Stands for a peer that had gone before it was looked at, or that has no address. */
const NO_ADDRESS = '0.0.0.0'

/**
 * The address of the client, always a canonical one: the peer, or what trusted proxies say about it.
 *
 * Walks `X-Forwarded-For` from its right end, the one that the nearest proxy wrote, as long as each hop is trusted. An entry that is no bare
 * address (text, a port, brackets) ends the walk at the hop that passed it on: nothing to its left can be believed.
 * @param forwardedFor hostile: anything that fits into a header
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined, proxies: TrustedProxies): string {
  // The zone of a link-local peer (`fe80::1%eth0`) is about this machine, not about the client.
  let client = canonicalAddress(peer?.split('%')[0] ?? '')
  if (client === undefined) return NO_ADDRESS
  if (forwardedFor === undefined) return client
  const hops = forwardedFor.split(',')
  while (hops.length > 0 && proxies.includes(client)) {
    // Blanks and tabs alone: `trim` would make an address out of text with other invisible characters around it.
    const hop = canonicalAddress(trimOf(hops.pop() ?? '', ' \t'))
    if (hop === undefined) return client
    client = hop
  }
  return client
}

/** Settles `request.ip` before anything reads it, so that limits, journal and log agree. Fastify's own would pass on text and ports. */
export function installClientAddress(app: FastifyInstance, proxies: TrustedProxies): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers['x-forwarded-for']
    const forwardedFor = Array.isArray(header) ? header.join(',') : header
    Object.defineProperty(request, 'ip', { value: clientAddress(request.socket.remoteAddress, forwardedFor, proxies) })
    done()
  })
}
