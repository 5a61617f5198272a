import { isPlainName, normalizeName } from '#kernel/domain-name.ts'
import { endsInNumber } from '#kernel/ip.ts'
import { hasBlankOrControl } from '#kernel/text.ts'
import type { Normalized } from '../indicators.model.ts'
import { tryJudgeAddress } from './normalize-address.ts'
import { nameFaultReason } from './normalize-domain.ts'
import { refang, refangBehindHost, type SplitScheme, splitScheme } from './refang.ts'
import { accepted, refused } from './verdict.ts'

/** Characters of a stored URL. Source: the service's own limit on stored values. */
export const URL_MAX_CHARACTERS = 4096
const PORT_MAX = 65_535

/** Schemes that are held, with the port that goes without saying. Source: RFC 9110, 4.2; RFC 959. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
  ['ftp', 21],
])

type Authority = { userinfo: string; host: string; rest: string; defanged: boolean }
type HostVerdict = { ok: true; host: string } | { ok: false; refusal: Normalized }
type PortVerdict = { ok: true; suffix: string } | { ok: false; refusal: Normalized }

/**
 * A URL with its scheme and host in lower case, without default port and fragment. Nothing else is touched: no added slash, no
 * re-encoding, no removal of dot segments; the user part stays.
 *
 * Cut by hand, because the `URL` class rewrites paths. Defanging behind the host is undone only when scheme or host are defanged
 * too: `[.]` in the path of a live URL is the URL's own.
 */
export function normalizeUrl(text: string): Normalized {
  const split = splitScheme(text)
  if (split === undefined) return refused('url_no_scheme', 'The value has no scheme: put http:// or https:// before it.')
  const defaultPort = DEFAULT_PORTS.get(split.scheme)
  if (defaultPort === undefined) return refused('url_scheme', 'Only http, https and ftp URLs are held.')
  const authority = cutAuthority(split)
  // Browsers end the host at a backslash, other programs at the slash: two readers would see two hosts.
  if (authority.userinfo.includes('\\'))
    return refused('url_host', 'A backslash before the host makes programs disagree on which host is meant.')
  const portStart = portColon(authority.host)
  const host = normalizeHost(authority.host.slice(0, portStart))
  if (!host.ok) return host.refusal
  const port = normalizePort(authority.host.slice(portStart), defaultPort)
  if (!port.ok) return port.refusal
  const value = `${split.scheme}://${authority.userinfo}${host.host}${port.suffix}${withoutFragment(authority.rest)}`
  if (hasBlankOrControl(value))
    return refused('not_an_indicator', 'A URL holds no blanks and no control characters: percent-encode them, and give one URL a line.')
  if (value.length > URL_MAX_CHARACTERS) return refused('too_long', 'The URL is longer than 4096 characters.')
  return accepted('URL', value)
}

function withoutFragment(rest: string): string {
  const hash = rest.indexOf('#')
  return hash === -1 ? rest : rest.slice(0, hash)
}

/** Everything up to the first `/`, `?` or `#` is user, host and port; the last at sign ends the user (WHATWG URL, "authority state"). */
function cutAuthority({ rest: text, defanged }: SplitScheme): Authority {
  const found = text.search(/[/?#]/)
  let end = found === -1 ? text.length : found
  let rest = text.slice(end)
  let changed = defanged
  if (text.startsWith('[/]', end - 1)) {
    rest = `/${text.slice(end + 2)}`
    end -= 1
    changed = true
  }
  const at = text.lastIndexOf('@', end - 1)
  let userinfo = at === -1 || end === 0 ? '' : text.slice(0, at)
  let host = at === -1 || end === 0 ? text.slice(0, end) : text.slice(at + 1, end)
  const hasUser = at !== -1 && end !== 0
  if (hasUser && userinfo.endsWith('[') && host.startsWith(']')) {
    userinfo = userinfo.slice(0, -1)
    host = host.slice(1)
    changed = true
  }
  const plainHost = refang(host)
  if (plainHost !== host) changed = true
  if (changed) {
    userinfo = refangBehindHost(userinfo)
    rest = refangBehindHost(rest)
  }
  return { userinfo: hasUser ? `${userinfo}@` : '', host: plainHost.trim(), rest, defanged: changed }
}

/** Where the port begins: the colon behind the bracket of an IPv6 host, else the first colon; the end when there is none. */
function portColon(host: string): number {
  const bracket = host.startsWith('[') ? host.indexOf(']') : -1
  const colon = host.indexOf(':', bracket + 1)
  return colon === -1 ? host.length : colon
}

function normalizeHost(host: string): HostVerdict {
  if (isPlainName(host) && !host.endsWith('.local') && !host.endsWith('.localhost')) return { ok: true, host }
  if (host === '') return badHost('The URL has no host.')
  const address = host.startsWith('[') || /[0-9]/.test(host) ? tryJudgeAddress(host) : undefined
  if (address?.ok === true) return { ok: true, host: address.type === 'IPV6' ? `[${address.value}]` : address.value }
  if (address !== undefined) return badHost(`The host of the URL cannot be an indicator. ${address.reason}`)
  if (endsInNumber(host))
    return badHost('The host of the URL is a number that programs read differently: write the address as four decimal numbers.')
  const verdict = normalizeName(host)
  if (verdict.ok) return { ok: true, host: verdict.name }
  if (verdict.fault === 'numeric')
    return badHost('The host of the URL is a number that programs read differently: write the address as four decimal numbers.')
  return badHost(`The host of the URL is not usable. ${nameFaultReason(verdict.fault)}`)
}

function badHost(reason: string): HostVerdict {
  return { ok: false, refusal: refused('url_host', reason) }
}

function normalizePort(text: string, defaultPort: number): PortVerdict {
  if (text === '' || text === ':') return { ok: true, suffix: '' }
  const digits = text.slice(1)
  const port = /^[0-9]{1,10}$/.test(digits) ? Number(digits) : 0
  if (port < 1 || port > PORT_MAX)
    return { ok: false, refusal: refused('url_port', 'The port of the URL is not a number from 1 to 65535.') }
  return { ok: true, suffix: port === defaultPort ? '' : `:${port}` }
}
