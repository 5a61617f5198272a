import { createHmac } from 'node:crypto'

/** The same access token with another end, signed with the service's own key. */
export function endingAt(token: string, secretKey: string, at: Date): string {
  const [header = '', payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const changed = Buffer.from(JSON.stringify({ ...claims, exp: Math.floor(at.getTime() / 1000) })).toString('base64url')
  const signature = createHmac('sha256', secretKey).update(`${header}.${changed}`).digest('base64url')
  return `${header}.${changed}.${signature}`
}
