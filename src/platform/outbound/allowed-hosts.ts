import { isIPv6 } from 'node:net'
import { DomainError } from '#kernel/errors.ts'

/** The hosts that the operator exempts from the scheme, name and address rules of the outbound guard. */
export type AllowedHosts = {
  /** As written in the setting, for `svc status`. */
  readonly entries: readonly string[]
  /** @param hostname as `URL.hostname` gives it; IPv6 in brackets */
  has(hostname: string, port: number): boolean
}

const ENTRY = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([1-9][0-9]{0,4}))?$/
export const MAX_PORT = 65_535

/** The production answer: no host is exempt. */
export const NO_ALLOWED_HOSTS: AllowedHosts = { entries: [], has: () => false }

/**
 * Reads `OUTBOUND_ALLOW_HOSTS`: `host[:port]`, separated by commas. An entry without a port exempts every port of that host;
 * subdomains and other spellings of the host are never exempt.
 *
 * Source: docs/decisions/0003. @throws setting_invalid naming the setting
 */
export function parseAllowedHosts(setting: string): AllowedHosts {
  const entries = setting
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
  const exempt = new Set(entries.map(canonicalEntry))
  return { entries, has: (hostname, port) => exempt.has(hostname) || exempt.has(`${hostname}:${port}`) }
}

function canonicalEntry(entry: string): string {
  const [, host = '', port] = ENTRY.exec(isIPv6(entry) ? `[${entry}]` : entry) ?? []
  if (host === '' || Number(port ?? 1) > MAX_PORT) throw refused()
  const hostname = tryHostname(host)
  // A host that the URL parser rewrites (0x7f.1, 127.1) would exempt something else than what is written.
  if (hostname === undefined || (hostname !== host && !host.startsWith('['))) throw refused()
  return port === undefined ? hostname : `${hostname}:${port}`
}

function tryHostname(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname
  } catch {
    return undefined
  }
}

function refused(): DomainError {
  return new DomainError(
    'setting_invalid',
    'OUTBOUND_ALLOW_HOSTS must list hosts as host or host:port, separated by commas, without scheme, path or wildcard.',
  )
}
