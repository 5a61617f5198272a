import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import { isGlobalAddress } from './address-guard.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { startDeadline } from './deadline.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>
/** Opens a TCP connection to one of the addresses; nothing else may be dialled. */
export type Dial = (target: { name: string; addresses: readonly string[]; port: number }) => Socket

export type ConnectionOptions = {
  allowHosts: AllowedHosts
  resolve: Resolve
  dial: Dial
  /** For name, TCP and TLS together. */
  connectMs: number
  /** Certificates to trust beside the built-in ones, PEM. */
  ca?: string
}

/** Wait before the next address of a name is tried beside the first. Assumption: four times Node's 250 ms, for slow lines. */
const NEXT_ADDRESS_AFTER_MS = 1000

/** All addresses as the system gives them, the hosts file included. */
export const systemResolve: Resolve = async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)

export const systemDial: Dial = ({ name, addresses, port }) => {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  const pinned: LookupFunction = (_name, options, callback) => {
    const [first] = answers
    if (options.all === true) callback(null, answers)
    else callback(null, first?.address ?? '', first?.family)
  }
  return openTcp({
    host: name,
    port,
    lookup: pinned,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
  })
}

/**
 * A connection to the host of the URL, to an address that was checked: the name is resolved once, one bad answer among the good refuses
 * the name, and only what was checked is dialled. So a name server that changes its mind between check and use gains nothing.
 *
 * @throws AttemptFailure address_forbidden, dns_failed, connect_failed, tls_failed, timeout
 */
export async function openConnection(url: URL, options: ConnectionOptions, signal: AbortSignal): Promise<Socket> {
  const deadline = startDeadline([signal], options.connectMs)
  try {
    return await connectBefore(url, options, deadline.signal)
  } finally {
    deadline.clear()
  }
}

async function connectBefore(url: URL, options: ConnectionOptions, deadline: AbortSignal): Promise<Socket> {
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
  const name = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const addresses = await checkedAddresses(name, options.allowHosts.has(url.hostname, port), { resolve: options.resolve, deadline })
  const tcp = options.dial({ name, addresses, port })
  await opened(tcp, 'connect', { code: 'connect_failed', deadline })
  return url.protocol === 'http:' ? tcp : await secured(tcp, name, { ca: options.ca, deadline })
}

async function secured(tcp: Socket, name: string, { ca, deadline }: { ca: string | undefined; deadline: AbortSignal }): Promise<TLSSocket> {
  const servername = isIP(name) === 0 ? name : ''
  const trusted = ca === undefined ? {} : { ca }
  // Said out loud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would else switch it off.
  const tls = openTls({ socket: tcp, host: name, servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true, ...trusted })
  try {
    await opened(tls, 'secureConnect', { code: 'tls_failed', deadline })
  } catch (error) {
    tcp.destroy()
    throw error
  }
  return tls
}

async function checkedAddresses(
  name: string,
  isExempt: boolean,
  options: { resolve: Resolve; deadline: AbortSignal },
): Promise<readonly string[]> {
  const addresses = isIP(name) === 0 ? await resolved(name, options) : [name]
  if (!isExempt && !addresses.every(isGlobalAddress)) throw new AttemptFailure('address_forbidden')
  return addresses
}

async function resolved(name: string, { resolve, deadline }: { resolve: Resolve; deadline: AbortSignal }): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await beforeDeadline(resolve(name), deadline)
  } catch (error) {
    if (error instanceof AttemptFailure) throw error
    throw new AttemptFailure('dns_failed', { detail: systemCode(error) })
  }
  if (addresses.length === 0) throw new AttemptFailure('dns_failed', { detail: 'no address' })
  return addresses
}

async function beforeDeadline<T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const expire = () => reject(new AttemptFailure('timeout', { detail: 'no answer of the name server' }))
  deadline.addEventListener('abort', expire, { once: true })
  if (deadline.aborted) expire()
  try {
    return await Promise.race([promise, expired])
  } finally {
    deadline.removeEventListener('abort', expire)
  }
}

type Opening = { code: 'connect_failed' | 'tls_failed'; deadline: AbortSignal }

/** Resolves when the socket is ready; destroys it and throws when it fails or the deadline passes. */
async function opened(socket: Socket, event: 'connect' | 'secureConnect', { code, deadline }: Opening): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onError = (error: Error) => reject(new AttemptFailure(code, { detail: systemCode(error) }))
  const onClose = () => reject(new AttemptFailure(code, { detail: 'connection closed' }))
  const onDeadline = () =>
    reject(new AttemptFailure('timeout', { detail: code === 'tls_failed' ? 'no secure connection' : 'no connection' }))
  socket.once(event, resolve).once('error', onError).once('close', onClose)
  deadline.addEventListener('abort', onDeadline, { once: true })
  if (deadline.aborted) onDeadline()
  // Stays for good: an error between two owners of the socket must not end the process.
  socket.on('error', () => undefined)
  try {
    await promise
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    socket.off(event, resolve).off('error', onError).off('close', onClose)
    deadline.removeEventListener('abort', onDeadline)
  }
}

/** The system's own code: the text of an error may hold what the other side sent. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown fault'
}
