import type { SessionEnd } from '../../api/token-store.ts'

/** Every text of the login. */
export const loginText = {
  title: 'Log in',
  username: 'User name',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  submit: 'Log in',
  capsLock: 'Caps Lock is on',
  ended: {
    expired: 'Your session has ended. Log in again to go on where you were.',
    elsewhere: 'You logged out in another tab. Log in again to go on where you were.',
    disabled: 'This account was disabled. An administrator can enable it again.',
    reused:
      'Your session was ended for safety: its key was used a second time, which happens when it was copied. Log in again, and tell an administrator if you did not expect this.',
  } satisfies Record<Exclude<SessionEnd, 'logout'>, string>,
  failed: 'Login failed',
  refused: 'User name or password is not right, or the account is disabled.',
  missing: 'Enter a user name and a password.',
  blockedTitle: 'Too many failed logins',
  blockedWhy: 'Further tries are refused for a while, also with the right password.',
  blockedWait: 'Try again in',
  blockedUnknown: 'Wait a few minutes, then try again.',
  blockedOver: 'You can try again now.',
  databaseDown: 'The database does not answer, so nobody can log in now. Run svc status on the server to see what is missing.',
  serviceDown: 'The service does not answer. Check that it runs: svc status',
  bannerGoes: 'This note goes away by itself.',
  requestId: 'Request',
  tagline: 'Threat-intelligence monitoring',
  version: (version: string) => `Version ${version}`,
} as const

const SECONDS_PER_MINUTE = 60

/** `14 min 05 s`, `48 s`. */
export function waitWords(seconds: number): string {
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE)
  const rest = seconds % SECONDS_PER_MINUTE
  return minutes === 0 ? `${rest} s` : `${minutes} min ${String(rest).padStart(2, '0')} s`
}
