import type { Config } from '#platform/config/settings.ts'
import { type AllowedHosts, parseAllowedHosts } from '#platform/outbound/allowed-hosts.ts'
import { judgeUrl } from '#platform/outbound/url-rules.ts'

type WebhookSettings = Pick<Config, 'OUTBOUND_ALLOW_HOSTS' | 'ALERT_WEBHOOK_URL' | 'ALERT_WEBHOOK_ALLOW_INTERNAL'>

/** The hosts that the webhook's door exempts from its rules: those of the setting and, when it is allowed to be internal, the webhook's own. */
export function webhookHosts({ OUTBOUND_ALLOW_HOSTS, ALERT_WEBHOOK_URL, ALERT_WEBHOOK_ALLOW_INTERNAL }: WebhookSettings): AllowedHosts {
  const url = ALERT_WEBHOOK_ALLOW_INTERNAL ? URL.parse(ALERT_WEBHOOK_URL ?? '') : null
  if (url === null || url.hostname === '') return parseAllowedHosts(OUTBOUND_ALLOW_HOSTS)
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : url.port
  return parseAllowedHosts(`${OUTBOUND_ALLOW_HOSTS},${url.hostname}:${port}`)
}

/** What is wrong with the address of the webhook, as the end of a sentence that repeats none of it. */
export function webhookFault(url: string, settings: WebhookSettings): string | undefined {
  try {
    const verdict = judgeUrl(url, { allowHosts: webhookHosts(settings), template: false })
    if (verdict.ok) return undefined
    return `is not an address that alerts can be sent to. ${verdict.reason.replace(/\.$/, '')}`
  } catch {
    // OUTBOUND_ALLOW_HOSTS is wrong, which is said of itself.
    return undefined
  }
}
