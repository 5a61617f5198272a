import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createAccessTokens } from './access-token.ts'

const SECRET = 'the signing key of these tests, long enough'
const USER = '01900000-0000-7000-8000-000000000001'
const NOW = new Date('2026-11-21T08:00:00Z')
const tokens = createAccessTokens({ secretKey: SECRET, clock: () => NOW })
const SESSION = '01900000-0000-7000-8000-00000000000a'
const HOLDER = { userId: USER, sessionId: SESSION }
const good = await tokens.issue(HOLDER, 900)
const [header = '', payload = '', signature = ''] = good.split('.')
const kid = JSON.parse(Buffer.from(header, 'base64url').toString()).kid as string
const issued = Math.floor(NOW.getTime() / 1000)
const claims = { typ: 'access', sub: USER, sid: SESSION, iss: 'svc', iat: issued, exp: issued + 900 }

/** A token with any header and claims, signed with the right key unless another is given. */
function forge(fakeHeader: object, fakeClaims: object, key = SECRET): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode(fakeHeader)}.${encode(fakeClaims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
const rightHeader = { alg: 'HS256', typ: 'JWT', kid }
const without = (name: keyof typeof claims) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

test('a token of its own opens the account, until it ends', async () => {
  const opened = { ...HOLDER, expiresAt: new Date((issued + 900) * 1000) }
  expect(await tokens.verify(good)).toEqual(opened)
  expect(await tokens.verify(forge(rightHeader, claims))).toEqual(opened)
  const later = createAccessTokens({ secretKey: SECRET, clock: () => new Date(NOW.getTime() + 901_000) })
  await expect(later.verify(good)).rejects.toMatchObject({ code: 'token_expired' })
})

test.each([
  { title: 'empty', token: '' },
  { title: 'no dots', token: 'token' },
  { title: 'two parts', token: `${header}.${payload}` },
  { title: 'no signature', token: `${header}.${payload}.` },
  { title: 'a signature cut short', token: `${header}.${payload}.${signature.slice(0, -2)}` },
  {
    title: 'another payload',
    token: `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: USER.replace('1', '2') })).toString('base64url')}.${signature}`,
  },
  { title: 'alg none', token: `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.` },
  { title: 'alg None with the kid', token: forge({ ...rightHeader, alg: 'None' }, claims) },
  { title: 'alg HS384', token: forge({ ...rightHeader, alg: 'HS384' }, claims) },
  { title: 'alg RS256', token: forge({ ...rightHeader, alg: 'RS256' }, claims) },
  { title: 'a foreign key', token: forge(rightHeader, claims, 'another key of the same length, but wrong') },
  { title: 'an empty key', token: forge(rightHeader, claims, '') },
  { title: 'no kid', token: forge({ alg: 'HS256', typ: 'JWT' }, claims) },
  { title: 'another kid', token: forge({ ...rightHeader, kid: 'other' }, claims) },
  { title: 'a kid that is a path', token: forge({ ...rightHeader, kid: '../../dev/null' }, claims) },
  { title: 'a key in the header', token: forge({ ...rightHeader, jwk: { kty: 'oct', k: 'AA' } }, claims) },
  { title: 'a key address in the header', token: forge({ ...rightHeader, jku: 'https://evil.example.com/keys' }, claims) },
  { title: 'a critical extension', token: forge({ ...rightHeader, crit: ['exp'] }, claims) },
  { title: 'compression in the header', token: forge({ ...rightHeader, zip: 'DEF' }, claims) },
  { title: 'another type in the header', token: forge({ ...rightHeader, typ: 'at+jwt' }, claims) },
  { title: 'a refresh token', token: forge(rightHeader, { ...claims, typ: 'refresh' }) },
  { title: 'no type', token: forge(rightHeader, without('typ')) },
  { title: 'no subject', token: forge(rightHeader, without('sub')) },
  { title: 'a subject that is a name', token: forge(rightHeader, { ...claims, sub: 'admin' }) },
  { title: 'a subject that is a list', token: forge(rightHeader, { ...claims, sub: [USER] }) },
  { title: 'a subject with a blank', token: forge(rightHeader, { ...claims, sub: `${USER} ` }) },
  { title: 'no session', token: forge(rightHeader, without('sid')) },
  { title: 'a session that is no UUID', token: forge(rightHeader, { ...claims, sid: 'current' }) },
  { title: 'no end', token: forge(rightHeader, without('exp')) },
  { title: 'an end that is text', token: forge(rightHeader, { ...claims, exp: 'never' }) },
  { title: 'an end beyond every date', token: forge(rightHeader, { ...claims, exp: Number.MAX_VALUE }) },
  { title: 'no beginning', token: forge(rightHeader, without('iat')) },
  { title: 'another issuer', token: forge(rightHeader, { ...claims, iss: 'other' }) },
  { title: 'no issuer', token: forge(rightHeader, without('iss')) },
  { title: 'not valid yet', token: forge(rightHeader, { ...claims, nbf: issued + 600 }) },
  { title: 'a payload that is no object', token: forge(rightHeader, [1]) },
  { title: 'an encrypted token', token: 'a.b.c.d.e' },
  { title: 'longer than any of ours', token: `${header}.${payload}.${'a'.repeat(3000)}` },
  { title: 'blanks around it', token: ` ${good}` },
  { title: 'padding behind it', token: `${good}=` },
  { title: 'with another signature behind it', token: `${good}.${signature}` },
])('refused: $title', async ({ token }) => {
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'token_invalid' })
})

test('another service with the same library but another key is foreign', async () => {
  const foreign = await new SignJWT({ typ: 'access', sid: SESSION })
    .setProtectedHeader(rightHeader)
    .setSubject(USER)
    .setIssuer('svc')
    .setIssuedAt(issued)
    .setExpirationTime(issued + 900)
    .sign(new TextEncoder().encode('x'.repeat(40)))
  await expect(tokens.verify(foreign)).rejects.toMatchObject({ code: 'token_invalid' })
})

test('a token that was good once ends at its time all the same', async () => {
  let now = NOW.getTime()
  const moving = createAccessTokens({ secretKey: SECRET, clock: () => new Date(now) })
  const token = await moving.issue(HOLDER, 900)
  await moving.verify(token)
  now += 899_000
  await expect(moving.verify(token)).resolves.toMatchObject(HOLDER)
  now += 1000
  await expect(moving.verify(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('the key of before is believed while it is named, and never signs', async () => {
  const NEXT = 'the next signing key of these tests, long enough'
  const both = createAccessTokens({ secretKey: NEXT, previousKey: SECRET, clock: () => NOW })
  expect(await both.verify(good)).toMatchObject(HOLDER)
  await expect(tokens.verify(await both.issue(HOLDER, 900))).rejects.toMatchObject({ code: 'token_invalid' })
  const alone = createAccessTokens({ secretKey: NEXT, clock: () => NOW })
  await expect(alone.verify(good)).rejects.toMatchObject({ code: 'token_invalid' })
})
