import type { FastifyReply, FastifyRequest } from 'fastify'
import { MS_PER_SECOND } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { addressKey } from '../limits/address-key.ts'
import { type Counter, countInProcess } from '../limits/counter.ts'

/** Window of the limits, seconds. Source: docs/decisions/0006. */
const WINDOW_SECONDS = 60

/** Requests of one process: per account once it is known, per address before. */
export type RequestLimits = {
  /** @throws rate_limited */
  countAccount(request: FastifyRequest, reply: FastifyReply, accountId: string): Promise<void>
  /** Counts what gives away much at once. @throws rate_limited */
  countExport(request: FastifyRequest, reply: FastifyReply, accountId: string): Promise<void>
  /** Counts what came without a valid login; only under the API. @throws rate_limited */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** `of`: what is counted, in words. */
type NamedLimit = { name: string; of: string; perMinute: number; counter: Counter }

/** @param perAccount requests a minute, 0 for no limit @param perAddress likewise @param exportsPerAccount likewise */
export function createRequestLimits(perMinute: { perAccount: number; perAddress: number; exportsPerAccount: number }): RequestLimits {
  const accounts = limitOf('account', 'requests', perMinute.perAccount)
  const addresses = limitOf('address', 'requests', perMinute.perAddress)
  const exports = limitOf('export', 'exports', perMinute.exportsPerAccount)
  return {
    async countAccount(_request, reply, accountId) {
      await count(accounts, accountId, reply)
    },
    async countExport(_request, reply, accountId) {
      await count(exports, accountId, reply)
    },
    async countAddress(request, reply) {
      if (isApiRequest(request)) await count(addresses, addressKey(request.ip), reply)
    },
  }
}

/** The route as it was matched counts too: `/%61pi/v1` reaches the same handlers as `/api/v1`. */
function isApiRequest(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/') || (request.routeOptions.url ?? '').startsWith('/api/')
}

function limitOf(name: string, of: string, perMinute: number): NamedLimit | undefined {
  if (perMinute === 0) return undefined
  return { name, of, perMinute, counter: countInProcess({ name, points: perMinute, windowSeconds: WINDOW_SECONDS }) }
}

async function count(limit: NamedLimit | undefined, key: string, reply: FastifyReply): Promise<void> {
  if (limit === undefined) return
  const answer = await limit.counter.take(key)
  const remaining = answer.allowed ? answer.remaining : 0
  const resetSeconds = Math.ceil(answer.resetMs / MS_PER_SECOND)
  // Structured fields. Source: draft-ietf-httpapi-ratelimit-headers-10.
  void reply.header('ratelimit-policy', `"${limit.name}";q=${limit.perMinute};w=${WINDOW_SECONDS}`)
  void reply.header('ratelimit', `"${limit.name}";r=${remaining};t=${resetSeconds}`)
  if (!answer.allowed)
    throw new DomainError(
      'rate_limited',
      `More than ${limit.perMinute} ${limit.of} a minute. Try again in ${resetSeconds} s.`,
      [],
      resetSeconds,
    )
}
