import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { findAlert } from './alerts.store.ts'
import {
  type DeliveryRow,
  endDelivery,
  giveUpCutShort,
  insertDelivery,
  listDeliveries,
  restartDelivery,
  settleAttempt,
  type TakenAttempt,
  takeDueAttempts,
} from './deliveries.store.ts'
import { ATTEMPT_WAITS_MS, type AttemptEnd, nextStep } from './next-attempt.ts'
import { webhookBody, webhookHeaders } from './webhook-message.ts'

/** Where alerts are told, and how. */
export type Webhook = {
  url: string
  secret: string | undefined
  /** Address under which users reach the service. */
  publicUrl: string | undefined
}
export type DeliveryCounts = { delivered: number; failed: number; postponed: number }

export type DeliveriesService = {
  /** Makes every attempt that is due now, each once among all workers. Ends soon after the signal. */
  deliverDue(signal: AbortSignal): Promise<DeliveryCounts>
  /** The attempts of an alert, newest first. @throws not_found */
  list(alertId: string): Promise<DeliveryRow[]>
  /** Begins the delivery anew, with the same id. @throws not_found, conflict when there is no webhook, or when it is under way */
  replay(actor: Actor, alertId: string): Promise<void>
}

export type DeliveriesDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  /** The door for this address alone: it may be one of the operator's own network. */
  outbound: Pick<Outbound, 'post'>
  webhook: Webhook | undefined
  /** Other than the real ones only in tests. Milliseconds. */
  waitsMs?: readonly number[]
  timeoutMs?: number
  random?: () => number
}

/** For one attempt, milliseconds. Source: docs/decisions/0020. */
const TIMEOUT_MS = 15_000
/** Attempts under way at once in one process. Assumption: a receiver bears a few. */
const AT_ONCE = 5
/** Attempts of one alert that are shown. Assumption: ten replays. */
const SHOWN_DELIVERIES = 50

/** Tells the webhook of alerts. What is due stands in the database, so that restarts and other workers go on where one stopped. */
export function createDeliveriesService({
  db,
  log,
  clock,
  audit,
  outbound,
  webhook,
  waitsMs = ATTEMPT_WAITS_MS,
  timeoutMs = TIMEOUT_MS,
  random = Math.random,
}: DeliveriesDeps): DeliveriesService {
  const maxAttempts = waitsMs.length + 1

  /** Counts the attempts and writes their rows before anything is sent: a kill loses no count. */
  async function take(): Promise<(TakenAttempt & { deliveryId: string })[]> {
    return await transact(db, log, async (tx) => {
      const at = clock()
      for (const id of await giveUpCutShort(tx.db, { at, maxAttempts }))
        log.warn('alert.webhook_failed', { alert: id, reason: 'cut short' })
      const leaseUntil = new Date(at.getTime() + timeoutMs + (waitsMs[0] ?? 0))
      const taken = await takeDueAttempts(tx.db, { at, leaseUntil, maxAttempts, limit: AT_ONCE })
      const rows = taken.map((attempt) => ({ ...attempt, deliveryId: newId() }))
      for (const { deliveryId, id, attempt } of rows) await insertDelivery(tx.db, { id: deliveryId, alert_id: id, attempt, started_at: at })
      return rows
    })
  }

  async function send(alert: TakenAttempt, { url, secret, publicUrl }: Webhook, signal: AbortSignal): Promise<AttemptEnd> {
    const body = webhookBody(alert, publicUrl)
    const headers = webhookHeaders({ id: alert.id, body }, clock(), secret)
    try {
      return await outbound.post({ url, headers, body, totalMs: timeoutMs, signal })
    } catch (error) {
      if (signal.aborted) return { reason: 'The service was stopping.' }
      if (error instanceof OutboundError) return { reason: error.message }
      throw error
    }
  }

  async function attemptOne(taken: TakenAttempt & { deliveryId: string }, signal: AbortSignal): Promise<keyof DeliveryCounts> {
    // Taken only while there is a webhook.
    const end = webhook === undefined ? { reason: 'There is no webhook any more.' } : await send(taken, webhook, signal)
    const { id, attempt, deliveryId, cve_id } = taken
    const step = nextStep(attempt, end, waitsMs, random())
    const status = 'status' in end ? end.status : null
    const reason = step.notification === 'DELIVERED' ? null : step.reason
    await transact(db, log, async (tx) => {
      const at = clock()
      const outcome = step.notification === 'DELIVERED' ? 'DELIVERED' : 'FAILED'
      await endDelivery(tx.db, deliveryId, { ended_at: at, outcome, status, reason })
      const nextAttemptAt = step.notification === 'PENDING' ? new Date(at.getTime() + step.waitMs) : null
      await settleAttempt(tx.db, { alertId: id, attempt }, { notification: step.notification, nextAttemptAt })
    })
    if (step.notification === 'DELIVERED') return 'delivered'
    log.warn(step.notification === 'FAILED' ? 'alert.webhook_failed' : 'alert.webhook_postponed', {
      alert: id,
      cve: cve_id,
      attempt,
      status,
      reason,
    })
    return step.notification === 'FAILED' ? 'failed' : 'postponed'
  }

  async function requireAlert(id: string): Promise<void> {
    if ((await findAlert(db, id)) === undefined) throw new DomainError('not_found', 'There is no such alert.')
  }

  return {
    async deliverDue(signal) {
      const counts: DeliveryCounts = { delivered: 0, failed: 0, postponed: 0 }
      while (webhook !== undefined && !signal.aborted) {
        const taken = await take()
        if (taken.length === 0) break
        for (const ended of await Promise.all(taken.map(async (attempt) => await attemptOne(attempt, signal)))) counts[ended]++
      }
      return counts
    },

    async list(alertId) {
      await requireAlert(alertId)
      return await listDeliveries(db, alertId, SHOWN_DELIVERIES)
    },

    async replay(actor, alertId) {
      await requireAlert(alertId)
      if (webhook === undefined) throw new DomainError('conflict', 'There is no webhook. Set ALERT_WEBHOOK_URL and restart.')
      await transact(db, log, async (tx) => {
        if (!(await restartDelivery(tx.db, alertId, clock())))
          throw new DomainError('conflict', 'The message is being delivered; look again when its attempts have ended.')
        await audit.record(tx, actor, { action: 'alert.replayed', target: { type: 'alert', id: alertId } })
      })
    },
  }
}
