import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { DomainError } from '#kernel/errors.ts'
import { createSemaphore } from '#kernel/semaphore.ts'

/** Argon2id cost. Source: docs/decisions/0008. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Waiting for one core: at 58 ms each, the slowest that was measured, the last in the queue waits under 5 s. Assumption: nobody waits longer for a login. */
const MAX_WAITING_PER_CORE = 80
const RETRY_SECONDS = 5

/** One verification per core at a time, and a bounded queue: a burst of logins must not starve everything else, nor fill the memory. */
const limited = createSemaphore(availableParallelism(), {
  maxWaiting: MAX_WAITING_PER_CORE * availableParallelism(),
  refuse: () => new DomainError('rate_limited', 'Too many people log in at the moment. Try again in a few seconds.', [], RETRY_SECONDS),
})

/** @throws rate_limited when too many are waiting */
export async function hashPassword(password: string): Promise<string> {
  return await limited(async () => await hash(password, COST))
}

/** A stand-in hash, so that an unknown account costs as much time as a known one. */
const decoy = hash('no account has this password', COST)

/** Whether the password belongs to the hash; without a hash it takes as long and answers false. @throws rate_limited when too many are waiting */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const stored = passwordHash ?? (await decoy)
  const matches = await limited(async () => await verify(stored, password))
  return matches && passwordHash !== undefined
}
