import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { DeliveryOutcome, Notification } from './alerts.model.ts'
import type { ToldAlert } from './webhook-message.ts'

/** An attempt that has been taken: nobody else makes it. */
export type TakenAttempt = ToldAlert & { attempt: number }

/**
 * Takes attempts that are due, each for one worker. It counts from here on, whatever becomes of the worker: after a kill the next one comes
 * at `leaseUntil`.
 */
export async function takeDueAttempts(
  db: Db,
  { at, leaseUntil, maxAttempts, limit }: { at: Date; leaseUntil: Date; maxAttempts: number; limit: number },
): Promise<TakenAttempt[]> {
  const { rows } = await sql<TakenAttempt>`
    update alerts set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
    where id in (
      select id from alerts where notification = 'PENDING' and next_attempt_at <= ${at} and attempts < ${maxAttempts}
      order by next_attempt_at limit ${limit} for update skip locked
    )
    returning id, cve_id, priority, score, title, created_at, attempts as attempt`.execute(db)
  return rows
}

/** Gives up deliveries whose last attempt was cut short. @returns their alerts */
export async function giveUpCutShort(db: Db, { at, maxAttempts }: { at: Date; maxAttempts: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alerts set notification = 'FAILED', next_attempt_at = null
    where notification = 'PENDING' and next_attempt_at <= ${at} and attempts >= ${maxAttempts} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function insertDelivery(db: Db, delivery: { id: string; alert_id: string; attempt: number; started_at: Date }): Promise<void> {
  await db
    .insertInto('alert_deliveries')
    .values({ ...delivery, outcome: 'UNDER_WAY' })
    .execute()
}

export async function endDelivery(
  db: Db,
  id: string,
  end: { ended_at: Date; outcome: 'DELIVERED' | 'FAILED'; status: number | null; reason: string | null },
): Promise<void> {
  await db.updateTable('alert_deliveries').set(end).where('id', '=', id).execute()
}

/** Notes what an attempt has led to. A delivery counts whenever it is heard of; a failure only while nobody has made a later attempt. */
export async function settleAttempt(
  db: Db,
  { alertId, attempt }: { alertId: string; attempt: number },
  step: { notification: Exclude<Notification, 'NONE'>; nextAttemptAt: Date | null },
): Promise<void> {
  const { notification, nextAttemptAt } = step
  const isOwn = notification === 'DELIVERED' ? sql`notification <> 'DELIVERED'` : sql`notification = 'PENDING' and attempts = ${attempt}`
  await sql`update alerts set notification = ${notification}, next_attempt_at = ${nextAttemptAt} where id = ${alertId} and ${isOwn}`.execute(
    db,
  )
}

/** Begins the delivery of an alert anew, unless it is under way. @returns false then */
export async function restartDelivery(db: Db, alertId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update alerts set notification = 'PENDING', attempts = 0, next_attempt_at = ${at}
    where id = ${alertId} and notification <> 'PENDING' returning 1`.execute(db)
  return rows.length > 0
}

export type DeliveryRow = {
  id: string
  attempt: number
  started_at: Date
  ended_at: Date | null
  outcome: DeliveryOutcome
  status: number | null
  reason: string | null
}

/** Attempts of an alert, newest first. */
export async function listDeliveries(db: Db, alertId: string, limit: number): Promise<DeliveryRow[]> {
  return (await db
    .selectFrom('alert_deliveries')
    .select(['id', 'attempt', 'started_at', 'ended_at', 'outcome', 'status', 'reason'])
    .where('alert_id', '=', alertId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()) as DeliveryRow[]
}
