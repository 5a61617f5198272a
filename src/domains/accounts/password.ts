import type { FieldError } from '#kernel/errors.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './accounts.model.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * What is wrong with a new password, or undefined. One rule for every door: creation, reset, own change, command line.
 * @param field where the fault is shown
 *
 * Source: spec, "Password policy"; docs/decisions/0008.
 */
export function passwordFault(password: string, username: string, field = 'password'): FieldError | undefined {
  const refuse = (code: string, message: string): FieldError => ({ field, code, message })
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) return refuse('too_short', `Use at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (length > PASSWORD_MAX_LENGTH) return refuse('too_long', `Use at most ${PASSWORD_MAX_LENGTH} characters.`)
  if (!password.isWellFormed() || password.includes('\0'))
    return refuse('unusable', 'The password holds a character that no keyboard types.')
  if (password.toLowerCase() === username.toLowerCase()) return refuse('is_username', 'The password must not be the user name.')
  if (isCommonPassword(password)) return refuse('too_common', 'This password is among the first that attackers try. Choose another.')
  return undefined
}
