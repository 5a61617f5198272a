import { createHmac } from 'node:crypto'
import type { AlertPriority } from './alerts.model.ts'

/** What a message tells of an alert. */
export type ToldAlert = { id: string; cve_id: string; priority: AlertPriority; score: number; title: string; created_at: Date }

const SECRET_PREFIX = 'whsec_'

/**
 * The body of the message, the same at each attempt.
 *
 * @param publicUrl where users reach the service; undefined when nobody has said so, then the link is null
 */
export function webhookBody({ id, cve_id, priority, score, title, created_at }: ToldAlert, publicUrl: string | undefined): string {
  const url = publicUrl === undefined ? null : new URL(`cves/${cve_id}`, publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`).href
  return JSON.stringify({ type: 'alert.created', timestamp: created_at.toISOString(), data: { id, cve_id, priority, score, title, url } })
}

/**
 * The headers of one attempt. The id is the alert's own, so that a receiver which gets a message twice can tell.
 *
 * Source: Standard Webhooks 1.0, "Webhook metadata" and "Symmetric signatures": HMAC-SHA256 over `id.timestamp.body`. A secret that begins
 * with `whsec_` is base64 behind it; any other is taken as it stands.
 */
export function webhookHeaders(message: { id: string; body: string }, at: Date, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const headers = { 'content-type': 'application/json', 'webhook-id': message.id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const key = secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64') : Buffer.from(secret, 'utf8')
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
