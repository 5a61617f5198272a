import type { AccountsService } from '#domains/accounts/accounts.service.ts'
import { generatePassword } from '#domains/accounts/generate-password.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'

export const FIRST_ADMINISTRATOR = 'admin'

/** A password that exists nowhere but here until it has been printed. */
export type NewAdministrator = { username: string; password: string; generated: boolean }

/**
 * Makes the administrator of an empty base. @returns undefined when there are accounts already
 * @throws setting_invalid when ADMIN_PASSWORD breaks the password rules
 */
export async function ensureAdministrator(accounts: AccountsService, chosen: string | undefined): Promise<NewAdministrator | undefined> {
  if (await accounts.hasUsers()) return undefined
  const password = chosen ?? generatePassword()
  try {
    await accounts.createUser(COMMAND_LINE_ACTOR, { username: FIRST_ADMINISTRATOR, password, role: 'ADMIN' })
  } catch (error) {
    if (error instanceof DomainError && error.code === 'password_policy')
      throw new DomainError('setting_invalid', `ADMIN_PASSWORD is refused: ${error.message}`)
    // Another process was faster: the administrator exists, and the password here is nobody's.
    if (error instanceof DomainError && error.code === 'duplicate_name') return undefined
    throw error
  }
  return { username: FIRST_ADMINISTRATOR, password, generated: chosen === undefined }
}
