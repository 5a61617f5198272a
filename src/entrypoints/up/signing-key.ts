import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DomainError } from '#kernel/errors.ts'

/** 256 bits. Source: RFC 7518, 3.2: a key at least as long as the hash. */
const KEY_BYTES = 32
const NAME = 'secret-key'

/**
 * The signing key kept in the data folder (mode 0600), made at the first call: sessions outlive a restart.
 * @throws setting_invalid when the file is not what was written
 */
export function keepSigningKey(dataDir: string): string {
  const path = join(dataDir, NAME)
  return readKey(path) ?? makeKey(path)
}

function readKey(path: string): string | undefined {
  let key: string
  try {
    key = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new DomainError(
      'setting_invalid',
      `The signing key in ${path} cannot be read. Start the service as the user who owns it, or set SECRET_KEY.`,
    )
  }
  if (key.length < KEY_BYTES * 2)
    throw new DomainError(
      'setting_invalid',
      `The signing key in ${path} is cut off. Remove the file: a new key is made, and everybody logs in again.`,
    )
  return key
}

/** Written aside and linked, so that a crash leaves a whole key or none. */
function makeKey(path: string): string {
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  rmSync(path, { force: true })
  linkSync(draft, path)
  rmSync(draft)
  return readKey(path) ?? ''
}
