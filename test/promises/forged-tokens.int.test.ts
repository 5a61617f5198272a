import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const SECRET = 'kM3vX9qLr7TzB2nWc5YhD8sFj4PgA6eU'
/** The signing key before that one, still believed. */
const PREVIOUS = 'Zx7QpL2mVt9RbK4yHd6WfN3sJc8GuE5a'
const COUNT = 109
const DOORS = ['/api/v1/users', '/api/v1/stream']

let app: TestApp
let keyAsked = 0
/** Where a token claims that its key lies; nobody may ask. */
const keyServer = createServer((_, response) => {
  keyAsked += 1
  response.end('{"keys": []}')
})

beforeAll(async () => {
  app = await createTestApp({ SECRET_KEY: SECRET, SECRET_KEY_PREVIOUS: PREVIOUS })
  keyServer.listen(0, '127.0.0.1')
  await once(keyServer, 'listening')
})
afterAll(async () => {
  await app.close()
  keyServer.close()
})

type Json = Record<string, unknown>
type Forgery = { title: string; token: string; code?: 'token_expired' | 'account_disabled' }

const encode = (part: unknown): string => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json

function hmac(header: unknown, claims: unknown, { key = SECRET, hash = 'sha256' } = {}): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

function signedWith(header: unknown, claims: unknown, { key, hash = 'sha256' }: { key: KeyObject; hash?: string | null }): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${sign(hash, Buffer.from(signed), key).toString('base64url')}`
}

const kidOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16)
const without = (object: Json, name: string): Json => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

/** A letter that stands for the same byte: its last bits belong to none. */
function otherEnding(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) ^ 1)
}

type Good = { token: string; header: Json; claims: Json }

function wrongForms({ token }: Good): Forgery[] {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return [
    { title: 'a word', token: 'token' },
    { title: 'a dot', token: '.' },
    { title: 'two dots', token: '..' },
    { title: 'the header alone', token: header },
    { title: 'two parts', token: `${header}.${payload}` },
    { title: 'no signature', token: `${header}.${payload}.` },
    { title: 'no header', token: `.${payload}.${signature}` },
    { title: 'no payload', token: `${header}..${signature}` },
    { title: 'four parts', token: `${token}.${signature}` },
    { title: 'five parts, as if encrypted', token: `${header}.${signature}.${signature}.${payload}.${signature}` },
    { title: 'a signature cut short', token: token.slice(0, -2) },
    { title: 'a signature of more', token: `${token}AAAA` },
    { title: 'a signature of zeroes', token: `${header}.${payload}.${'A'.repeat(43)}` },
    { title: 'a signature that ends otherwise', token: otherEnding(token) },
    { title: 'a signature with padding', token: `${token}=` },
    { title: 'a signature in hex', token: `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('hex')}` },
    { title: 'parts in another order', token: `${payload}.${header}.${signature}` },
    { title: 'a percent sign', token: `${header}%2E${payload}.${signature}` },
    { title: 'a refresh token', token: 'A'.repeat(43) },
    { title: 'base64 that is none', token: `${header}.!!!!.${signature}` },
    { title: 'a header that is no JSON', token: `${encode('not JSON')}.${payload}.${signature}` },
    { title: 'a header that is a list', token: hmac([1], decode(payload)) },
    { title: 'a header that is null', token: hmac(null, decode(payload)) },
    { title: 'a payload that is a list', token: hmac(decode(header), [1]) },
    { title: 'a payload that is a text', token: hmac(decode(header), '"text"') },
    { title: 'a payload that is null', token: hmac(decode(header), null) },
    { title: '3000 characters', token: `${header}.${payload}.${'a'.repeat(3000)}` },
    { title: '10 000 dots', token: '.'.repeat(10_000) },
  ]
}

function wrongAlgorithms({ header, claims, token }: Good): Forgery[] {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ed = generateKeyPairSync('ed25519')
  const [, , signature = ''] = token.split('.')
  const bare = ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
    { title: `alg "${alg}" without a signature`, token: `${encode({ ...header, alg })}.${encode(claims)}.` },
    { title: `alg "${alg}" with the signature of a good one`, token: `${encode({ ...header, alg })}.${encode(claims)}.${signature}` },
  ])
  return [
    ...bare,
    { title: 'no alg', token: hmac(without(header, 'alg'), claims) },
    { title: 'alg null', token: hmac({ ...header, alg: null }, claims) },
    { title: 'alg in a list', token: hmac({ ...header, alg: ['HS256'] }, claims) },
    { title: 'alg hs256', token: hmac({ ...header, alg: 'hs256' }, claims) },
    { title: 'alg with a blank', token: hmac({ ...header, alg: 'HS256 ' }, claims) },
    { title: 'HS384 with the right key', token: hmac({ ...header, alg: 'HS384' }, claims, { hash: 'sha384' }) },
    { title: 'HS512 with the right key', token: hmac({ ...header, alg: 'HS512' }, claims, { hash: 'sha512' }) },
    { title: 'HS256 that says RS256', token: hmac({ ...header, alg: 'RS256' }, claims) },
    { title: 'RS256', token: signedWith({ ...header, alg: 'RS256' }, claims, { key: rsa.privateKey }) },
    { title: 'ES256', token: signedWith({ ...header, alg: 'ES256' }, claims, { key: ec.privateKey }) },
    { title: 'EdDSA', token: signedWith({ ...header, alg: 'EdDSA' }, claims, { key: ed.privateKey, hash: null }) },
    {
      title: 'RS256 with its key in the header',
      token: signedWith({ ...header, alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) }, claims, { key: rsa.privateKey }),
    },
  ]
}

function wrongHeaders({ header, claims }: Good, keyAddress: string): Forgery[] {
  const kid = String(header['kid'])
  const kids: [string, unknown][] = [
    ['empty', ''],
    ['another', 'other'],
    ['shorter', kid.slice(0, -1)],
    ['longer', `${kid}A`],
    ['in capitals', kid.toUpperCase() === kid ? kid.toLowerCase() : kid.toUpperCase()],
    ['a path', '../../../../dev/null'],
    ['an SQL condition', "' or '1'='1"],
    ['a command', '|sleep 9'],
    ['the name of a prototype', '__proto__'],
    ['a number', 0],
    ['null', null],
    ['a list', [kid]],
  ]
  const more: Json = {
    jwk: { kty: 'oct', k: encode(SECRET) },
    jku: keyAddress,
    x5u: keyAddress,
    x5c: ['AA=='],
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
    cty: 'JWT',
  }
  return [
    { title: 'no kid', token: hmac(without(header, 'kid'), claims) },
    ...kids.map(([title, value]) => ({ title: `a kid that is ${title}`, token: hmac({ ...header, kid: value }, claims) })),
    ...Object.entries(more).map(([name, value]) => ({ title: `a header with ${name}`, token: hmac({ ...header, [name]: value }, claims) })),
    { title: 'a header of type at+jwt', token: hmac({ ...header, typ: 'at+jwt' }, claims) },
    { title: 'a header without type', token: hmac(without(header, 'typ'), claims) },
  ]
}

function wrongKeys({ header, claims }: Good): Forgery[] {
  const keys: [string, string][] = [
    ['empty', ''],
    ['the word secret', 'secret'],
    ['the word of the documents', 'change-me-change-me-change-me-change-me'],
    ['its own kid', String(header['kid'])],
    ['ours in lower case', SECRET.toLowerCase()],
    ['ours with a line end', `${SECRET}\n`],
    ['ours without its last character', SECRET.slice(0, -1)],
    ['the digest of ours', createHash('sha256').update(SECRET).digest('hex')],
    ['ours in base64', Buffer.from(SECRET).toString('base64')],
  ]
  return [
    ...keys.map(([title, key]) => ({ title: `a key that is ${title}`, token: hmac(header, claims, { key }) })),
    { title: 'the key of before under the kid of today', token: hmac(header, claims, { key: PREVIOUS }) },
    { title: 'the key of today under the kid of before', token: hmac({ ...header, kid: kidOf(PREVIOUS) }, claims) },
  ]
}

/** Signed with the right key: what only a fault of the service itself could issue. */
function wrongClaims({ header, claims }: Good): Forgery[] {
  const now = Math.floor(Date.now() / 1000)
  const changes: [string, Json][] = [
    ['the type of a refresh token', { typ: 'refresh' }],
    ['a subject that is a name', { sub: 'admin' }],
    ['a subject in capitals', { sub: String(claims['sub']).toUpperCase() }],
    ['a subject with an SQL condition', { sub: `${claims['sub']}' or '1'='1` }],
    ['a subject that is a list', { sub: [claims['sub']] }],
    ['a subject that is nobody', { sub: randomUUID() }],
    ['a session that is none', { sid: randomUUID() }],
    ['a session that is no UUID', { sid: '*' }],
    ['an end that is text', { exp: '9999999999' }],
    ['an end in a list', { exp: [now + 900] }],
    ['an end beyond every date', { exp: Number.MAX_VALUE }],
    ['a start in the future', { nbf: now + 600 }],
    ['another issuer', { iss: 'svc.example' }],
  ]
  return [
    ...['typ', 'sub', 'sid', 'exp', 'iat', 'iss'].map((name) => ({ title: `no ${name}`, token: hmac(header, without(claims, name)) })),
    ...changes.map(([title, change]) => ({ title, token: hmac(header, { ...claims, ...change }) })),
    { title: 'an end in the past', token: hmac(header, { ...claims, iat: now - 1000, exp: now - 1 }), code: 'token_expired' },
  ]
}

/** Right in every letter, but of sessions that are not the holder's, or are over. */
async function wrongSessions({ header, claims }: Good): Promise<Forgery[]> {
  const { accounts, sessions, db } = app.services
  const logIn = async (username: string): Promise<Json> => {
    const { access_token } = await sessions.login(
      { username, password: TEST_PASSWORD },
      { clientIp: '127.0.0.1', requestId: 'forged-tokens' },
    )
    return decode(access_token.split('.')[1] ?? '')
  }
  const ended = await logIn('admin')
  await sql`update sessions set expires_at = now() - interval '1 second' where id = ${ended['sid']}`.execute(db)
  const viewer = await logIn('viewer')
  for (const username of ['left', 'disabled'])
    await accounts.createUser(COMMAND_LINE_ACTOR, { username, password: TEST_PASSWORD, role: 'ADMIN' })
  const left = await logIn('left')
  await accounts.revokeSessions(COMMAND_LINE_ACTOR, String(left['sub']))
  const disabled = await logIn('disabled')
  await accounts.changeUser(COMMAND_LINE_ACTOR, String(disabled['sub']), { status: 'DISABLED' })
  const origin = { clientIp: '127.0.0.1', requestId: 'forged-tokens' }
  const reused = await sessions.login({ username: 'viewer', password: TEST_PASSWORD }, origin)
  await sessions.refresh(reused.refresh_token, origin)
  await expect(sessions.refresh(reused.refresh_token, origin)).rejects.toMatchObject({ code: 'refresh_reused' })
  return [
    { title: "somebody else's session", token: hmac(header, { ...claims, sid: viewer['sid'] }) },
    { title: 'a session that has ended', token: hmac(header, ended) },
    { title: 'a session that was revoked', token: hmac(header, left) },
    { title: 'a session whose refresh token was used twice', token: reused.access_token },
    { title: 'a disabled account', token: hmac(header, disabled), code: 'account_disabled' },
  ]
}

/** The token of the administrator, taken apart. */
function goodToken(): Good {
  const token = app.tokens.ADMIN
  const [header = '', payload = ''] = token.split('.')
  return { token, header: decode(header), claims: decode(payload) }
}

async function read(token: string, url = '/api/v1/users') {
  return await app.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
}

/** Places where a good token has no business. */
const ELSEWHERE: Record<string, (token: string) => { url?: string; headers?: Record<string, string> }> = {
  'in the query': (token) => ({ url: `/api/v1/users?access_token=${token}` }),
  'in cookies': (token) => ({ headers: { cookie: `access_token=${token}; svc_refresh=${token}` } }),
  'as Basic': (token) => ({ headers: { authorization: `Basic ${token}` } }),
  'as Token': (token) => ({ headers: { authorization: `Token ${token}` } }),
  'without a scheme': (token) => ({ headers: { authorization: token } }),
  twice: (token) => ({ headers: { authorization: `Bearer ${token} ${token}` } }),
  'behind a comma': (token) => ({ headers: { authorization: `Bearer x, Bearer ${token}` } }),
  'behind two blanks': (token) => ({ headers: { authorization: `Bearer  ${token}` } }),
  'in headers of proxies': (token) => ({ headers: { 'x-forwarded-authorization': `Bearer ${token}`, 'x-access-token': token } }),
}

describe('A1: only its own access tokens open a door', () => {
  test(`${COUNT} forged tokens at ${DOORS.length} doors: none is accepted, each is 401 with its code, none makes the service ask for a key`, async () => {
    const good = goodToken()
    const address = keyServer.address()
    const keyAddress = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/keys`
    const forgeries = [
      ...wrongForms(good),
      ...wrongAlgorithms(good),
      ...wrongHeaders(good, keyAddress),
      ...wrongKeys(good),
      ...wrongClaims(good),
      ...(await wrongSessions(good)),
    ]
    expect(new Set(forgeries.map((forgery) => forgery.token)).size, 'all different').toBe(forgeries.length)
    expect(forgeries).toHaveLength(COUNT)

    for (const door of DOORS) {
      // The forger's hand is good: with nothing wrong it opens the door, with either key.
      expect((await read(hmac(good.header, good.claims), door)).statusCode).toBe(200)
      expect((await read(hmac({ ...good.header, kid: kidOf(PREVIOUS) }, good.claims, { key: PREVIOUS }), door)).statusCode).toBe(200)

      const answers = []
      for (const { title, token: forged } of forgeries) {
        const answer = await read(forged, door)
        answers.push({ title, status: answer.statusCode, code: answer.json().code })
      }
      expect(answers, door).toEqual(forgeries.map(({ title, code = 'token_invalid' }) => ({ title, status: 401, code })))
      expect((await read(good.token, door)).statusCode).toBe(200)
    }
    expect(keyAsked).toBe(0)
  })

  test.each(Object.entries(ELSEWHERE))('a good token %s opens nothing', async (_, place) => {
    const { url = '/api/v1/users', headers = {} } = place(goodToken().token)
    expect((await app.app.inject({ method: 'GET', url, headers })).statusCode).toBe(401)
  })
})
