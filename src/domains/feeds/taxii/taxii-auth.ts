import { DomainError } from '#kernel/errors.ts'

/** Credentials of TAXII servers, by host (`host` or `host:port`, in lower case): each is the value of an Authorization header. */
export type TaxiiAuth = { readonly byHost: ReadonlyMap<string, string>; readonly secrets: readonly string[] }

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[1-9][0-9]{0,4})?$/
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }
const FORM = 'TAXII_AUTH must be JSON of the form {"host": {"username": "…", "password": "…"}, "other-host": {"token": "…"}}'

/**
 * Reads `TAXII_AUTH`. An entry without a port holds for every port of that host.
 *
 * @throws setting_invalid naming what is wrong and never a value
 */
export function parseTaxiiAuth(setting: string | undefined): TaxiiAuth {
  if (setting === undefined || setting.trim() === '') return { byHost: new Map(), secrets: [] }
  const given = tryParseObject(setting)
  if (given === undefined) throw refused(`${FORM}.`)
  const byHost = new Map<string, string>()
  const secrets: string[] = []
  for (const [key, entry] of Object.entries(given)) {
    const host = key.trim().toLowerCase()
    if (!HOST.test(host)) throw refused('TAXII_AUTH names a host with a scheme, a path or a blank. Write host or host:port.')
    const { header, secret } = toHeader(entry)
    byHost.set(host, header)
    secrets.push(header, secret)
  }
  return { byHost, secrets }
}

/** The Authorization header for an address, or undefined: credentials of one host are for no other. */
export function authorizationFor({ byHost }: TaxiiAuth, url: URL): string | undefined {
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port
  return byHost.get(`${url.hostname}:${port}`) ?? byHost.get(url.hostname)
}

function toHeader(entry: unknown): { header: string; secret: string } {
  const { username, password, token } = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
  if (isHeaderText(token) && username === undefined && password === undefined) return { header: `Bearer ${token}`, secret: token }
  if (typeof username === 'string' && typeof password === 'string' && password !== '' && token === undefined) {
    // RFC 7617: the name ends at the first colon.
    if (username.includes(':')) throw refused('TAXII_AUTH has a user name with a colon, which Basic authentication cannot carry.')
    return { header: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`, secret: password }
  }
  throw refused(`${FORM}: for each host either a user name and a password, or a token.`)
}

/** Anything else would break the header, or add one. */
function isHeaderText(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)
}

function tryParseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function refused(message: string): DomainError {
  return new DomainError('setting_invalid', message)
}
