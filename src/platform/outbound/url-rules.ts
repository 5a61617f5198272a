import { type AllowedHosts, MAX_PORT } from './allowed-hosts.ts'
import { canonicalHost, judgeHost } from './host-rules.ts'

/** `reason` is one sentence for a person; it never repeats any part of the text. */
export type UrlVerdict = { ok: true; url: URL } | { ok: false; reason: string }

/** Characters of an address. Assumption: docs/decisions/0003; no list published today needs a quarter of it. */
export const URL_MAX_CHARACTERS = 2048

/** `{NAME}`, filled from the setting `FEED_KEY_<NAME>` when the request is made. */
export const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*)\}/g

/** Scheme, authority, path, query, fragment. Stricter than RFC 3986, appendix B: the two slashes are required. */
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)((?:\/[^?#]*)?)(\?[^#]*)?(#.*)?$/i
const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

type Parts = { scheme: string; host: string; port: number; rest: string }
type Judged = { ok: true; parts: Parts } | { ok: false; reason: string }

/**
 * Judges an address from its raw text, before anything parses it: `new URL()` accepts and rewrites many hostile forms (0x7f.1, full-width
 * dots, encoded hosts, tabs). Used when a feed is registered, and again before each fetch and each redirect. Asks no name server.
 *
 * Source: spec, "Feed", url.
 * @param options.template false for the target of a redirect, which is no template: braces are plain characters there
 */
export function judgeUrl(raw: string, options: { allowHosts: AllowedHosts; template?: boolean }): UrlVerdict {
  const judged = judgeText(raw, options.template ?? true)
  if (!judged.ok) return judged
  const { scheme, host, port, rest } = judged.parts
  const written = canonicalHost(host)
  const exempt = written.ok && options.allowHosts.has(written.hostname, port)
  const verdict = exempt ? written : judgeHost(host)
  if (!verdict.ok) return verdict
  if (scheme === 'http:' && !exempt) return refuse('Only https is allowed. Use the https form of the address.')
  return toUrl(`${scheme}//${verdict.hostname}:${port}${rest}`, verdict.hostname)
}

/** The parts of the address when its text can be read in one way only. */
function judgeText(raw: string, template: boolean): Judged {
  if (raw === '') return refuse('The address is empty.')
  if (raw.length > URL_MAX_CHARACTERS) return refuse(`The address is longer than ${URL_MAX_CHARACTERS} characters.`)
  // \p{C}: control, format (zero width, direction marks), unpaired surrogate, private use; \p{Z}: blanks of every script.
  if (/[\p{C}\p{Z}]/u.test(raw)) return refuse('The address contains blanks, line breaks or invisible characters.')
  if (raw.includes('\\')) return refuse('The address contains a backslash.')
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = SHAPE.exec(raw) ?? []
  if (scheme === '') return refuse('The address must begin with https:// and a host.')
  const lowerScheme = `${scheme.toLowerCase()}:`
  if (DEFAULT_PORTS[lowerScheme] === undefined) return refuse('Only https is allowed.')
  const rest = judgeRest({ path, query, fragment }, template)
  if (rest !== undefined) return refuse(rest)
  return judgeAuthority(authority, lowerScheme, path + query)
}

function judgeAuthority(authority: string, scheme: string, rest: string): Judged {
  if (authority.includes('@')) return refuse('The address contains a user name or password. Use a key placeholder instead.')
  if (/[{}]/.test(authority)) return refuse('A key placeholder is allowed in the path and the query only.')
  if (authority.includes('%')) return refuse('The host contains percent-encoded characters.')
  const [, host = '', portText] = AUTHORITY.exec(authority) ?? []
  if (portText !== undefined && !/^[1-9][0-9]{0,4}$/.test(portText)) return refuse('The port is not a plain number from 1 to 65535.')
  const port = portText === undefined ? (DEFAULT_PORTS[scheme] ?? 0) : Number(portText)
  if (port > MAX_PORT) return refuse('The port is not a plain number from 1 to 65535.')
  return { ok: true, parts: { scheme, host, port, rest } }
}

/** What is wrong after the host, as a sentence. */
function judgeRest(rest: { path: string; query: string; fragment: string }, template: boolean): string | undefined {
  const { path, query, fragment } = rest
  // `https://a?@b/` and `https://a#@b/` name host b to some parsers.
  if (path === '' && (query + fragment).includes('@')) return 'The address has an @ right after the host.'
  // Encoded line breaks and NUL are how a second request or header is smuggled through a careless server.
  if (/%(?:[01][0-9a-f]|7f)/i.test(path + query)) return 'The address contains encoded control characters.'
  if (!template) return undefined
  if (/[{}]/.test(fragment)) return 'A key placeholder is allowed in the path and the query only.'
  if (/[{}]/.test((path + query).replace(PLACEHOLDER, '')))
    return 'A key placeholder is written {NAME}, in capitals, digits and underscores.'
  return undefined
}

function toUrl(text: string, hostname: string): UrlVerdict {
  try {
    const url = new URL(text)
    // The parser must see the very host that was judged.
    if (url.hostname === hostname) return { ok: true, url }
  } catch {
    // Falls through to the refusal: what the parser refuses is not an address.
  }
  return refuse('The address is not a valid URL.')
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
