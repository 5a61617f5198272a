import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'

const ISSUER = 'svc'
const TOKEN_TYPE = 'access'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Longest token that is looked at, characters. */
const MAX_LENGTH = 2048

export type AccessTokens = {
  issue(userId: string, lifetimeSeconds: number): Promise<string>
  /** The user id in the token. @throws token_invalid, token_expired */
  verify(token: string): Promise<string>
}

/** Signs and checks access tokens: HS256 alone, a `kid`, one type, a UUID subject. Source: spec, "Tokens". */
export function createAccessTokens({ secretKey, clock }: { secretKey: string; clock: Clock }): AccessTokens {
  const key = new TextEncoder().encode(secretKey)
  const kid = createHash('sha256').update(secretKey).digest('base64url').slice(0, 16)
  const refuse = () => new DomainError('token_invalid', 'The access token is not valid. Log in again.')

  return {
    async issue(userId, lifetimeSeconds) {
      const now = Math.floor(clock().getTime() / 1000)
      return await new SignJWT({ typ: TOKEN_TYPE })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key)
    },

    async verify(token) {
      if (token.length > MAX_LENGTH) throw refuse()
      try {
        const header = decodeProtectedHeader(token)
        // Exact header: jose alone would let unknown but harmless-looking headers through.
        if (header.alg !== 'HS256' || header.kid !== kid || header.typ !== 'JWT' || Object.keys(header).length !== 3) throw refuse()
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: clock(),
        })
        if (payload['typ'] !== TOKEN_TYPE || typeof payload.sub !== 'string' || !UUID.test(payload.sub)) throw refuse()
        return payload.sub
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new DomainError('token_expired', 'The access token has expired. Log in again.')
        throw refuse()
      }
    },
  }
}
