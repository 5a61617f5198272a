import type { AllowedHosts } from './allowed-hosts.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { judgeUrl } from './url-rules.ts'

/** Redirects that are followed in one attempt. Source: docs/decisions/0005. */
export const MAX_REDIRECTS = 5
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status)
}

/**
 * Where a redirect leads, judged anew from its raw text. From https to http is refused even for an exempt host.
 *
 * @param location the raw header @throws AttemptFailure redirect_forbidden
 */
export function redirectTarget(location: string | undefined, from: URL, allowHosts: AllowedHosts): URL {
  const raw = asUtf8(location ?? '').trim()
  if (raw === '') throw forbidden('It named no address.')
  const verdict = judgeUrl(absoluteText(raw, from), { allowHosts, template: false })
  if (!verdict.ok) throw forbidden(verdict.reason)
  if (from.protocol === 'https:' && verdict.url.protocol === 'http:') throw forbidden('It led from https to http.')
  return verdict.url
}

/** Header bytes arrive as Latin-1; addresses outside ASCII are sent as UTF-8. */
function asUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

/** Only a path or a query is resolved against the page before; whatever names a host stays as it was written, to be judged as such. */
function absoluteText(raw: string, from: URL): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(raw)) return raw
  if (/^[/\\]{2}/.test(raw)) return `${from.protocol}${raw}`
  // The URL parser drops tabs and line breaks and turns backslashes: such a text must reach the judge as it is.
  if (/[\p{C}\p{Z}\\]/u.test(raw)) return raw
  return new URL(raw, from).href
}

function forbidden(detail: string): AttemptFailure {
  return new AttemptFailure('redirect_forbidden', { detail })
}
