import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isDevelopmentKey, isDevelopmentPassword } from './development-value.ts'

const RANDOM_HEX = '5b0f3a9c7e1d4286af93c07b6e2d518490fabc37d1e65827'

describe('isDevelopmentKey', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'a placeholder',                         key: 'changeme-changeme-CHANGEME-changeme-1' },
    { title: 'a placeholder beside random digits',    key: `change_me_${RANDOM_HEX}` },
    { title: 'a placeholder in lookalike letters',    key: `s3cr3t-${RANDOM_HEX}` },
    { title: 'the word secret',                       key: `my-secret-${RANDOM_HEX}` },
    { title: 'a value that says it is for tests',     key: `test-${RANDOM_HEX}` },
    { title: 'a value that begins with dev',          key: `dev${RANDOM_HEX}` },
    { title: 'the sample of a web site',              key: 'a-string-secret-at-least-256-bits-long' },
    { title: 'the default of a web framework',        key: 'django-insecure-9$z!k2v7q0p5w8x3c6n1m4b' },
    { title: 'one character over and over',           key: 'x'.repeat(64) },
    { title: 'a short part over and over',            key: 'Zk81pQ7x'.repeat(4) },
    { title: 'half a key twice',                      key: RANDOM_HEX.slice(0, 24).repeat(2) },
    { title: 'digits in order',                       key: '01234567890123456789012345678901234567' },
    { title: 'the alphabet',                          key: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ' },
    { title: 'few characters in any order',           key: '1121221211122121112212122111212212112' },
  ])('refuses $title', ({ key }) => expect(isDevelopmentKey(key)).toBe(true))

  test.each(['hex', 'base64', 'base64url'] as const)('takes 2000 random keys of 32 bytes as %s', (encoding) => {
    const refused = Array.from({ length: 2000 }, () => randomBytes(32).toString(encoding)).filter((key) => isDevelopmentKey(key))
    // A base64 key begins with "dev" once in 90 000.
    expect(refused.length).toBeLessThanOrEqual(1)
  })
  test('takes random keys of 32 hexadecimal digits', () => {
    expect(Array.from({ length: 2000 }, () => randomBytes(16).toString('hex')).filter((key) => isDevelopmentKey(key))).toHaveLength(0)
  })
})

describe('isDevelopmentPassword', () => {
  // biome-ignore format: one case per line
  test.each([
    'postgres', 'password', 'Password1!', 'p@ssw0rd', 'svc', 'svc_app', 'svc_app_2024', 'changeme', 'change-me-please-now', 'dev', 'devpassword', 'dev-db-password',
    'secret', 'S3CR3T', 'admin123', 'root', 'test', 'test1234', 'redis', 'redis-password', 'foobared', 'letmein', 'qwerty', '123456789', 'aaaaaaaaaaaa', 'abcabcabcabc',
    'example-password', 'localhost', 'x', 'guest', 'default', 'monitor', 'Monitor_1', 'threats', 'abcdefghijkl',
  ])('refuses %s for the account monitor of the database threats', (password) =>
    expect(isDevelopmentPassword(password, ['monitor', 'threats'])).toBe(true))

  test('takes random ones, of 16 characters and more', () => {
    const passwords = Array.from({ length: 3000 }, (_, index) => randomBytes(12).toString(index % 2 === 0 ? 'hex' : 'base64url'))
    expect(passwords.filter((password) => isDevelopmentPassword(password, ['svc_app', 'svc']))).toHaveLength(0)
  })
  test.each(['correct horse battery staple', 'Grün-ist-die-Wiese-77', 'long-password-of-seven-hills'])('takes %s', (password) =>
    expect(isDevelopmentPassword(password, ['svc_app', 'svc'])).toBe(false),
  )
})
