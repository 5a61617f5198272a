import type { FieldError } from '#kernel/errors.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './accounts.model.ts'

/** What is wrong with a new password, or undefined. Source: spec, "Password policy"; docs/decisions/0008. */
export function passwordFault(password: string, username: string): FieldError | undefined {
  const refuse = (code: string, message: string): FieldError => ({ field: 'password', code, message })
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) return refuse('too_short', `Use at least ${PASSWORD_MIN_LENGTH} characters.`)
  if (length > PASSWORD_MAX_LENGTH) return refuse('too_long', `Use at most ${PASSWORD_MAX_LENGTH} characters.`)
  if (password.toLowerCase() === username.toLowerCase()) return refuse('is_username', 'The password must not be the user name.')
  return undefined
}
