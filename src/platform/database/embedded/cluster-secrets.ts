import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '#kernel/errors.ts'

/** Passwords of the embedded server's roles, by role name. */
export type ClusterSecrets = { passwordOf(role: string): string; changed: boolean }

/** 192 bits, so that guessing is out of the question and the text stays free of characters that a URL would escape. */
const PASSWORD_BYTES = 24

/**
 * The passwords kept in `<dataDir>/secrets.json` (mode 0600); missing ones are made and stored. Other entries of the file are kept.
 * @throws database_start_failed when the file is not what was written
 */
export async function openSecrets(dataDir: string, roles: readonly string[]): Promise<ClusterSecrets> {
  const path = join(dataDir, 'secrets.json')
  const stored = await readSecrets(path)
  const passwords = new Map<string, string>()
  let changed = false
  for (const role of roles) {
    const known = stored[role]
    const password = typeof known === 'string' && known !== '' ? known : randomBytes(PASSWORD_BYTES).toString('base64url')
    changed ||= password !== known
    passwords.set(role, password)
  }
  if (changed) await writeSecrets(path, { ...stored, ...Object.fromEntries(passwords) })
  return { changed, passwordOf: (role) => passwords.get(role) ?? '' }
}

async function readSecrets(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw new DomainError(
      'database_start_failed',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}. Start the service as the user who owns it.`,
    )
  })
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch {
    // Said below: the text itself must not reach a message.
  }
  throw new DomainError(
    'database_start_failed',
    `${path} is not readable as JSON. Restore it, or remove it: new passwords are then made and the data stays.`,
  )
}

/** Written aside and renamed, so that a crash leaves the old file or the new one. */
async function writeSecrets(path: string, secrets: Record<string, unknown>): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
