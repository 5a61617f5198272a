import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const SECRET = 'b7d1a02e9f6c4583b7d1a02e9f6c4583a94c17de03f852b6'
const PREVIOUS = 'e01f9c3d7a6b25840d9e3f71c8b5a624f71c8b5a624e01f9'
const DAY_SECONDS = 86_400

type Json = Record<string, unknown>
const encode = (part: unknown): string => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
const hmac = (text: string, key: string | Buffer, hash = 'sha256'): string => createHmac(hash, key).update(text).digest('base64url')
const kidOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 16)

/** A token of any parts, signed by `key` as HS256 would be. */
function forge(header: unknown, claims: unknown, key: string | Buffer = SECRET, hash = 'sha256'): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${hmac(signed, key, hash)}`
}

const HEADER = { alg: 'HS256', typ: 'JWT', kid: kidOf(SECRET) }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Counts whoever follows an address of a header. */
let asked = 0
const sink = createServer((_, reply) => {
  asked++
  reply.end(JSON.stringify({ keys: [{ kty: 'oct', kid: 'sink', k: encode('sink') }] }))
})

let app: TestApp
let good: string
/** Parts of a token that opens the door. */
let claims: Json
let parts: { header: string; payload: string; signature: string }
/** Tokens that were good until something was done. */
const spent: Record<string, string> = {}
let sinkUrl: string

async function logIn(username: string): Promise<{ access_token: string; refresh_token: string }> {
  return await app.services.sessions.login({ username, password: TEST_PASSWORD }, { clientIp: '198.51.100.4', requestId: 'token-attacks' })
}

beforeAll(async () => {
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
  sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/keys`
  app = await createTestApp({ SECRET_KEY: SECRET, SECRET_KEY_PREVIOUS: PREVIOUS })
  good = app.tokens.ADMIN
  const [header = '', payload = '', signature = ''] = good.split('.')
  parts = { header, payload, signature }
  claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json
  const { accounts, sessions } = app.services
  for (const username of ['leaver', 'disabled', 'reset']) {
    const { id } = await accounts.createUser(COMMAND_LINE_ACTOR, { username, password: TEST_PASSWORD, role: 'ADMIN' })
    const tokens = await logIn(username)
    spent[username] = tokens.access_token
    if (username === 'leaver') await sessions.logout({ accessToken: tokens.access_token }, { clientIp: '::1', requestId: 'leave' })
    if (username === 'disabled') await accounts.changeUser(COMMAND_LINE_ACTOR, id, { status: 'DISABLED' })
    if (username === 'reset') await accounts.resetPassword(COMMAND_LINE_ACTOR, id)
  }
  const reused = await logIn('viewer')
  for (let n = 0; n < 2; n++) await sessions.refresh(reused.refresh_token, { clientIp: '::1', requestId: 'reuse' }).catch(() => undefined)
  spent['reused'] = reused.access_token
  spent['refresh'] = (await logIn('viewer')).refresh_token
})
afterAll(async () => {
  await app.close()
  sink.close()
})

/** The right header with something changed. */
const withHeader = (change: Json, key: string | Buffer = SECRET) => forge({ ...HEADER, ...change }, claims, key)
/** The right claims with something changed. */
const withClaims = (change: Json) => forge(HEADER, { ...claims, ...change })
const without = (from: Json, name: string): Json => Object.fromEntries(Object.entries(from).filter(([key]) => key !== name))
const now = (): number => Math.floor(Date.now() / 1000)
const asymmetric = (alg: string, key: typeof rsa.privateKey): string => {
  const signed = `${encode({ ...HEADER, alg })}.${encode(claims)}`
  const options = alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return `${signed}.${sign('sha256', Buffer.from(signed), options).toString('base64url')}`
}

/** What is tried, each in words. Made when asked for: some parts exist only while the service runs. */
const CASES: [title: string, token: () => string][] = [
  // The algorithm is pinned.
  ['alg none, no signature', () => `${encode({ ...HEADER, alg: 'none' })}.${parts.payload}.`],
  ['alg none, the old signature', () => `${encode({ ...HEADER, alg: 'none' })}.${parts.payload}.${parts.signature}`],
  ['alg none without kid', () => `${encode({ alg: 'none', typ: 'JWT' })}.${parts.payload}.`],
  ['alg None', () => `${encode({ ...HEADER, alg: 'None' })}.${parts.payload}.`],
  ['alg NONE', () => `${encode({ ...HEADER, alg: 'NONE' })}.${parts.payload}.`],
  ['alg nOnE, signed', () => withHeader({ alg: 'nOnE' })],
  ['alg empty', () => withHeader({ alg: '' })],
  ['alg null', () => withHeader({ alg: null })],
  ['alg a number', () => withHeader({ alg: 256 })],
  ['alg a list', () => withHeader({ alg: ['HS256'] })],
  ['alg an object', () => withHeader({ alg: { name: 'HS256' } })],
  ['alg in lower case', () => withHeader({ alg: 'hs256' })],
  ['alg with a blank', () => withHeader({ alg: 'HS256 ' })],
  ['alg with NUL', () => withHeader({ alg: 'HS256\0' })],
  ['no alg', () => forge(without(HEADER, 'alg'), claims)],
  ['HS384 with the right key', () => forge({ ...HEADER, alg: 'HS384' }, claims, SECRET, 'sha384')],
  ['HS512 with the right key', () => forge({ ...HEADER, alg: 'HS512' }, claims, SECRET, 'sha512')],
  ['HS256 named, signed as HS512', () => forge(HEADER, claims, SECRET, 'sha512')],
  ['RS256 with a key of its own', () => asymmetric('RS256', rsa.privateKey)],
  ['ES256 with a key of its own', () => asymmetric('ES256', ec.privateKey)],
  ['HS256 with a public key as the secret', () => withHeader({}, rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string)],
  ['ES256 with a signature of zeros', () => `${encode({ ...HEADER, alg: 'ES256' })}.${parts.payload}.${'A'.repeat(86)}`],
  ['PBES2 in the header', () => withHeader({ alg: 'PBES2-HS256+A128KW', p2c: 2_000_000_000, p2s: 'AA' })],
  ['dir, as an encrypted token', () => `${encode({ alg: 'dir', enc: 'A256GCM', kid: HEADER.kid })}..AAAA.AAAA.AAAA`],
  // The key is the service's own.
  ['a foreign key', () => withHeader({}, 'another key of the same length, but it is wrong')],
  ['an empty key', () => withHeader({}, '')],
  ['a key of one NUL', () => withHeader({}, '\0')],
  ['the key with a line end', () => withHeader({}, `${SECRET}\n`)],
  ['the key in capitals', () => withHeader({}, SECRET.toUpperCase())],
  ['the key decoded from hex', () => withHeader({}, Buffer.from(SECRET, 'hex'))],
  ['the kid as the key', () => withHeader({}, HEADER.kid)],
  ['a default of many services', () => withHeader({}, 'secret')],
  ['a default of this kind of service', () => withHeader({}, 'change-me-please-change-me-please')],
  ['the key of before under the kid of today', () => withHeader({}, PREVIOUS)],
  ['the key of today under the kid of before', () => withHeader({ kid: kidOf(PREVIOUS) })],
  ['a foreign key under its own kid', () => withHeader({ kid: kidOf('foreign') }, 'foreign')],
  // The kid chooses among the known ones and nothing else.
  ['no kid', () => forge(without(HEADER, 'kid'), claims)],
  ['kid empty, empty key', () => withHeader({ kid: '' }, '')],
  ['kid null', () => withHeader({ kid: null })],
  ['kid a number', () => withHeader({ kid: 0 })],
  ['kid a list', () => withHeader({ kid: [HEADER.kid] })],
  ['kid /dev/null, empty key', () => withHeader({ kid: '../../../../dev/null' }, '')],
  ['kid with SQL', () => withHeader({ kid: "x' union select 'k" }, 'k')],
  ['kid with a command', () => withHeader({ kid: '| sleep 5' })],
  ['kid __proto__', () => withHeader({ kid: '__proto__' }, '')],
  ['kid constructor', () => withHeader({ kid: 'constructor' }, '')],
  ['kid toString', () => withHeader({ kid: 'toString' }, '')],
  ['kid with NUL behind it', () => withHeader({ kid: `${HEADER.kid}\0` })],
  ['kid in another case', () => withHeader({ kid: HEADER.kid.toUpperCase() })],
  ['kid an address', () => withHeader({ kid: sinkUrl }, 'sink')],
  // Nothing in the header brings a key along.
  ['jwk', () => withHeader({ jwk: { kty: 'oct', k: encode('own') } }, 'own')],
  ['jwk, alg and key of one pair', () => withHeader({ alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) })],
  ['jku', () => withHeader({ jku: sinkUrl }, 'sink')],
  ['jku with the right key', () => withHeader({ jku: sinkUrl })],
  ['x5u', () => withHeader({ x5u: sinkUrl }, 'sink')],
  ['x5c', () => withHeader({ x5c: ['AAAA'] }, 'sink')],
  ['x5t', () => withHeader({ x5t: 'AAAA' })],
  ['crit with an unknown word', () => withHeader({ crit: ['unknown'], unknown: true })],
  ['crit empty', () => withHeader({ crit: [] })],
  ['b64 false', () => withHeader({ crit: ['b64'], b64: false })],
  ['zip', () => withHeader({ zip: 'DEF' })],
  ['cty JWT', () => withHeader({ cty: 'JWT' })],
  ['a word too many in the header', () => withHeader({ role: 'ADMIN' })],
  // One type of token.
  ['typ at+jwt', () => withHeader({ typ: 'at+jwt' })],
  ['typ in lower case', () => withHeader({ typ: 'jwt' })],
  ['no typ in the header', () => forge(without(HEADER, 'typ'), claims)],
  ['claim typ refresh', () => withClaims({ typ: 'refresh' })],
  ['claim typ in capitals', () => withClaims({ typ: 'ACCESS' })],
  ['claim typ a list', () => withClaims({ typ: ['access'] })],
  ['no claim typ', () => forge(HEADER, without(claims, 'typ'))],
  ['a refresh token', () => spent['refresh'] ?? ''],
  // Whom it speaks for.
  ['no subject', () => forge(HEADER, without(claims, 'sub'))],
  ['subject null', () => withClaims({ sub: null })],
  ['subject a name', () => withClaims({ sub: 'admin' })],
  ['subject a number', () => withClaims({ sub: 1 })],
  ['subject a list', () => withClaims({ sub: [claims['sub']] })],
  ['subject in braces', () => withClaims({ sub: `{${String(claims['sub'])}}` })],
  ['subject without hyphens', () => withClaims({ sub: String(claims['sub']).replaceAll('-', '') })],
  ['subject with SQL', () => withClaims({ sub: `${String(claims['sub'])}' or '1'='1` })],
  ['subject nobody', () => withClaims({ sub: randomUUID() })],
  ['subject of another account', () => withClaims({ sub: subjectOf(app.tokens.VIEWER) })],
  ['no session', () => forge(HEADER, without(claims, 'sid'))],
  ['session null', () => withClaims({ sid: null })],
  ['session a word', () => withClaims({ sid: 'current' })],
  ['session that never was', () => withClaims({ sid: randomUUID() })],
  ['session of another account', () => withClaims({ sid: sessionOf(app.tokens.VIEWER) })],
  ['after logout', () => spent['leaver'] ?? ''],
  ['of a disabled account', () => spent['disabled'] ?? ''],
  ['after the password was set anew', () => spent['reset'] ?? ''],
  ['of a session whose refresh token was used twice', () => spent['reused'] ?? ''],
  // Its time.
  ['ended a second ago', () => withClaims({ exp: now() - 1 })],
  ['ended a year ago', () => withClaims({ iat: now() - 366 * DAY_SECONDS, exp: now() - 365 * DAY_SECONDS })],
  ['no end', () => forge(HEADER, without(claims, 'exp'))],
  ['end null', () => withClaims({ exp: null })],
  ['end as text', () => withClaims({ exp: String(now() + 900) })],
  ['end negative', () => withClaims({ exp: -1 })],
  ['end in milliseconds of before', () => withClaims({ exp: 0 })],
  ['no beginning', () => forge(HEADER, without(claims, 'iat'))],
  ['not valid yet', () => withClaims({ nbf: now() + 600 })],
  ['issuer another', () => withClaims({ iss: 'other' })],
  ['issuer a list with ours', () => withClaims({ iss: ['svc'] })],
  ['no issuer', () => forge(HEADER, without(claims, 'iss'))],
  // Its form.
  [
    'the payload of an administrator with the signature of a viewer',
    () => `${parts.header}.${parts.payload}.${signatureOf(app.tokens.VIEWER)}`,
  ],
  ['one letter of the payload changed', () => `${parts.header}.${parts.payload.slice(0, -2)}AA.${parts.signature}`],
  ['signature cut short', () => good.slice(0, -1)],
  ['signature cut to nothing', () => `${parts.header}.${parts.payload}.`],
  ['signature of 32 zeros', () => `${parts.header}.${parts.payload}.${'A'.repeat(43)}`],
  ['signature with padding', () => `${good}=`],
  ['signature in another writing of the same bytes', () => `${parts.header}.${parts.payload}.${otherWriting(parts.signature)}`],
  ['signature twice', () => `${good}.${parts.signature}`],
  ['signature in hex', () => `${parts.header}.${parts.payload}.${Buffer.from(parts.signature, 'base64url').toString('hex')}`],
  ['two parts', () => `${parts.header}.${parts.payload}`],
  ['dots only', () => '..'],
  ['JSON serialization', () => encode({ payload: parts.payload, protected: parts.header, signature: parts.signature })],
  ['payload a list', () => forge(HEADER, [claims])],
  ['payload no JSON', () => forge(HEADER, 'x')],
  ['payload empty', () => forge(HEADER, '')],
  ['header no JSON', () => forge('x', claims)],
  ['header nested 5000 deep', () => forge('['.repeat(5000), claims).slice(0, 15_000)],
  ['2049 characters', () => `${good}${'A'.repeat(2049 - good.length)}`],
]

function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Json
}
function subjectOf(token: string): unknown {
  return claimsOf(token)['sub']
}
function sessionOf(token: string): unknown {
  return claimsOf(token)['sid']
}
function signatureOf(token: string): string {
  return token.split('.')[2] ?? ''
}

/** 43 characters hold 258 bits, the signature 256: the last character can be written in 4 ways. */
function otherWriting(signature: string): string {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = ALPHABET.indexOf(signature.slice(-1))
  return `${signature.slice(0, -1)}${ALPHABET.charAt(last ^ 1)}`
}

/** The same bytes in the places where a token has no business. */
const ELSEWHERE: [title: string, request: () => { url?: string; headers?: Record<string, string> }][] = [
  ['in the query', () => ({ url: `/api/v1/users/me?access_token=${good}` })],
  ['in a cookie', () => ({ headers: { cookie: `access_token=${good}; svc_refresh=${good}` } })],
  ['as Basic', () => ({ headers: { authorization: `Basic ${good}` } })],
  ['as Token', () => ({ headers: { authorization: `Token ${good}` } })],
  ['without a scheme', () => ({ headers: { authorization: good } })],
  ['twice', () => ({ headers: { authorization: `Bearer ${good} ${good}` } })],
  ['behind a comma', () => ({ headers: { authorization: `Bearer x, Bearer ${good}` } })],
  ['with two blanks', () => ({ headers: { authorization: `Bearer  ${good}` } })],
  ['in a header of a proxy', () => ({ headers: { 'x-forwarded-authorization': `Bearer ${good}`, 'x-access-token': good } })],
]

async function ask(headers: Record<string, string>, url = '/api/v1/users/me') {
  return await app.app.inject({ method: 'GET', url, headers })
}

describe('A1: access tokens', () => {
  test('there are at least the 104 of the promise', () => expect(CASES.length).toBeGreaterThanOrEqual(104))

  test.each(['/api/v1/users/me', '/api/v1/users', '/api/v1/stream'])(
    'the good one opens %s, so that the refusals mean something',
    async (url) => {
      expect((await ask({ authorization: `Bearer ${good}` }, url)).statusCode).toBe(200)
    },
  )

  test('one signed by hand in the same way opens too, and one of the key of before', async () => {
    for (const token of [forge(HEADER, claims), forge({ ...HEADER, kid: kidOf(PREVIOUS) }, claims, PREVIOUS)])
      expect((await ask({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
  })

  test.each(CASES)('%s: refused at both doors', async (_, token) => {
    const made = token()
    expect(made).not.toBe(good)
    for (const url of ['/api/v1/users/me', '/api/v1/stream']) {
      const answer = await ask({ authorization: `Bearer ${made}` }, url)
      expect(answer.statusCode, url).toBe(401)
      expect(['token_invalid', 'token_expired', 'account_disabled'], url).toContain(answer.json().code)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
  })

  test.each(ELSEWHERE)('the good one %s opens nothing', async (_, request) => {
    const { url, headers } = request()
    const answer = await ask(headers ?? {}, url)
    expect(answer.statusCode).toBe(401)
  })

  test('no address in a header was asked, and the good one still opens', async () => {
    expect(asked).toBe(0)
    expect((await ask({ authorization: `Bearer ${good}` })).statusCode).toBe(200)
  })
})
