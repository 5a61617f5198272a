import { createHash, randomBytes } from 'node:crypto'

/** 256 bits. Source: OWASP ASVS 5.0, 7.2.3 asks for 128. */
const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** An opaque token that exists nowhere but with its holder; the base keeps its digest. */
export function newRefreshToken(): { token: string; digest: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: digestOf(token) }
}

/** What the base knows of a token; undefined for a text that is none of ours. */
export function tryDigestRefreshToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? digestOf(token) : undefined
}

/** A fast hash is enough: nobody guesses 256 bits. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
