import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'

const ISSUER = 'svc'
const TOKEN_TYPE = 'access'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Longest token that is looked at, characters. */
const MAX_LENGTH = 2048
/** Tokens whose signature is known to be good. Assumption: some thousands of people at once; the oldest is checked anew. */
const MAX_REMEMBERED = 5000

/** Whom a token speaks for. */
export type TokenHolder = { userId: string; sessionId: string }
/** The holder of a valid token, and when that ends. */
export type VerifiedToken = TokenHolder & { expiresAt: Date }

export type AccessTokens = {
  issue(holder: TokenHolder, lifetimeSeconds: number): Promise<string>
  /** @throws token_invalid, token_expired */
  verify(token: string): Promise<VerifiedToken>
}

type SigningKey = { kid: string; bytes: Uint8Array }

/**
 * Signs and checks access tokens: HS256 alone, a `kid`, one type, UUIDs for the account and its session. Source: spec, "Tokens".
 * @param keys `previousKey` is believed and never signs: tokens of before a change of key stay good until they end
 */
export function createAccessTokens({
  secretKey,
  previousKey,
  clock,
}: {
  secretKey: string
  previousKey?: string | undefined
  clock: Clock
}): AccessTokens {
  const signing = toKey(secretKey)
  const believed = new Map([...(previousKey === undefined ? [] : [toKey(previousKey)]), signing].map((key) => [key.kid, key]))
  // A signature does not change: a token is checked once, and afterwards only its end. Whom it speaks for is read anew by the caller.
  const remembered = new Map<string, VerifiedToken>()

  function remember(token: string, verified: VerifiedToken): void {
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest)
    remembered.set(token, verified)
  }

  return {
    async issue({ userId, sessionId }, lifetimeSeconds) {
      const now = Math.floor(clock().getTime() / 1000)
      return await new SignJWT({ typ: TOKEN_TYPE, sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(signing.bytes)
    },

    async verify(token) {
      if (token.length > MAX_LENGTH || !isWrittenOnce(token)) throw refusal()
      const known = remembered.get(token)
      if (known !== undefined) {
        if (known.expiresAt > clock()) return known
        remembered.delete(token)
      }
      try {
        const { payload } = await jwtVerify(token, keyOf(token, believed).bytes, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          requiredClaims: ['exp', 'iat', 'sub', 'sid'],
          currentDate: clock(),
        })
        const { typ, sub, sid, exp } = payload
        const expiresAt = new Date((exp ?? Number.NaN) * 1000)
        // An end beyond every date compares with no clock.
        if (typ !== TOKEN_TYPE || !isUuid(sub) || !isUuid(sid) || Number.isNaN(expiresAt.getTime())) throw refusal()
        const verified = { userId: sub, sessionId: sid, expiresAt }
        remember(token, verified)
        return verified
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          throw new DomainError('token_expired', 'The access token has expired. Refresh it, or log in again.')
        throw refusal()
      }
    },
  }
}

function toKey(secret: string): SigningKey {
  return { kid: createHash('sha256').update(secret).digest('base64url').slice(0, 16), bytes: new TextEncoder().encode(secret) }
}

/** The key that the header names. Exact header: jose alone would let unknown but harmless-looking ones through. */
function keyOf(token: string, believed: ReadonlyMap<string, SigningKey>): SigningKey {
  const { alg, kid, typ, ...others } = decodeProtectedHeader(token)
  const key = typeof kid === 'string' ? believed.get(kid) : undefined
  if (key === undefined || alg !== 'HS256' || typ !== 'JWT' || Object.keys(others).length > 0) throw refusal()
  return key
}

/** Base64url has several texts for the same bytes, and decoders take padding: only the one that signing gives is ours. */
function isWrittenOnce(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}

function refusal(): DomainError {
  return new DomainError('token_invalid', 'The access token is not valid. Log in again.')
}
