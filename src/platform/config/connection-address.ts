/** What the address of a server says about who logs in. Decoded; undefined when it is not in the address. */
export type Credentials = { username: string | undefined; password: string | undefined; database: string | undefined }

/** Reads the address of a database as the driver does: the query wins over what stands before the `@`. */
export function databaseCredentials(address: string): Credentials {
  const url = parseDatabaseUrl(address)
  if (url === undefined) return { username: undefined, password: undefined, database: undefined }
  const { searchParams } = url
  return {
    username: searchParams.get('user') || decode(url.username),
    password: searchParams.get('password') || decode(url.password),
    database: decode(url.pathname.slice(1)),
  }
}

/** @param separate the password for an address that carries none */
export function redisCredentials(address: string, separate: string | undefined): Credentials {
  const url = URL.parse(address.startsWith('/') ? `redis:${address}` : address)
  return {
    username: decode(url?.username ?? ''),
    password: decode(url?.password ?? '') || url?.searchParams.get('password') || separate,
    database: undefined,
  }
}

/** What is wrong with the form of a database's address, or undefined. Never repeats any of it. */
export function databaseAddressFault(address: string): string | undefined {
  // Paths of sockets are the driver's own form, and hold no secret.
  if (address.startsWith('/') || address.startsWith('socket:')) return undefined
  const url = parseDatabaseUrl(address)
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || hasStrayPassword(url))
    return 'must be postgres://user:password@host:port/database, with the special characters of the password percent-encoded'
  return undefined
}

/** What is wrong with the form of the store's address, or undefined. Never repeats any of it. */
export function redisAddressFault(address: string): string | undefined {
  if (address.startsWith('/')) return undefined
  const url = URL.parse(address)
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || hasStrayPassword(url))
    return 'must be redis://user:password@host:port or rediss://, with the special characters of the password percent-encoded'
  return undefined
}

/** What is wrong with the address under which users reach the service, or undefined. */
export function publicUrlFault(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password'
  if (url.search !== '' || url.hash !== '') return 'must not hold anything behind ? or #'
  return undefined
}

/** A password with a bare `/`, `#` or `@` ends the host early: its rest would stand in messages as a host, port or database. */
function hasStrayPassword({ pathname, hash, search }: URL): boolean {
  return hash !== '' || pathname.includes('@') || (search.includes('@') && !/[?&](user|password)=/.test(search))
}

/** A database on a socket may have credentials without a host. */
function parseDatabaseUrl(address: string): URL | undefined {
  return URL.parse(address) ?? URL.parse(address.replace('@/', '@localhost/')) ?? undefined
}

function decode(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
