import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '#kernel/semaphore.ts'

/** Argon2id cost. Source: docs/decisions/0008. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** One verification per core at a time: a burst of logins must not starve everything else. */
const limited = createSemaphore(availableParallelism())

export async function hashPassword(password: string): Promise<string> {
  return await limited(async () => await hash(password, COST))
}

/** A stand-in hash, so that an unknown account costs as much time as a known one. */
const decoy = hash('no account has this password', COST)

/** Whether the password belongs to the hash; without a hash it takes as long and answers false. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const stored = passwordHash ?? (await decoy)
  const matches = await limited(async () => await verify(stored, password))
  return matches && passwordHash !== undefined
}
