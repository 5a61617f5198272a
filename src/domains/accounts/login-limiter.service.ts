import { MS_PER_MINUTE, MS_PER_SECOND } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { addressKey } from '#platform/limits/address-key.ts'
import { type Counter, countInProcess, countTogether, type Limit, type Taken } from '#platform/limits/counter.ts'
import type { SharedStore } from '#platform/limits/shared-store.ts'
import type { Log } from '#platform/logging/logger.ts'
import { accountKey } from './login-limiter-keys.ts'

/** Failed logins before a lock, and its window from the first failure. Source: spec, "Login limiter"; the windows are docs/decisions/0006. */
export const LOGIN_LIMITS = {
  address: { name: 'login-address', points: 20, windowSeconds: 15 * 60 },
  pair: { name: 'login-pair', points: 5, windowSeconds: 15 * 60 },
  account: { name: 'login-account', points: 50, windowSeconds: 60 * 60 },
} as const satisfies Record<string, Limit>

/** An attempt that was let through and has been counted as a failure already. */
export type Admission = {
  /** Takes the count back: the password was right, or none was verified because something else went wrong. */
  success(): Promise<void>
}
export type LoginLimiter = {
  /**
   * Counts an attempt before its password is verified: a burst cannot pass between the check and the count.
   * @param address of the client, as the access line names it
   * @throws login_blocked with the seconds to wait, the same for known and unknown names
   */
  admit(name: string, address: string): Promise<Admission>
}

/**
 * Limits failed logins per address, per account and address, and per account, in this process and in the store when there is one.
 *
 * A refusal counts nowhere, so a blocked address cannot use up an account's count and lock its holder out.
 */
export function createLoginLimiter({ log, store }: { log: Log; store: SharedStore | undefined }): LoginLimiter {
  const counterOf = (limit: Limit): Counter => (store === undefined ? countInProcess(limit) : countTogether(limit, store))
  const perAddress = counterOf(LOGIN_LIMITS.address)
  const perPair = counterOf(LOGIN_LIMITS.pair)
  const perAccount = counterOf(LOGIN_LIMITS.account)

  return {
    async admit(name, address) {
      const account = accountKey(name)
      const from = addressKey(address)
      const taken: Taken[] = []
      const giveBack = async (): Promise<void> => {
        await Promise.all(taken.splice(0).map(async (point) => await point.giveBack()))
      }
      const steps = [
        { rule: 'address', counter: perAddress, key: from },
        { rule: 'pair', counter: perPair, key: `${account}:${from}` },
        { rule: 'account', counter: perAccount, key: account },
      ]
      for (const { rule, counter, key } of steps) {
        const answer = await counter.take(key)
        if (answer.allowed) {
          taken.push(answer)
        } else {
          await giveBack()
          log.warn('login.blocked', { rule, client: address, retry_after_seconds: toSeconds(answer.resetMs) })
          throw blocked(answer.resetMs)
        }
      }
      return { success: giveBack }
    },
  }
}

function blocked(waitMs: number): DomainError {
  const minutes = Math.ceil(waitMs / MS_PER_MINUTE)
  const wait = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return new DomainError('login_blocked', `Too many failed logins. Try again in ${wait}.`, [], toSeconds(waitMs))
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / MS_PER_SECOND)
}
