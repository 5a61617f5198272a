/** Every text of the login. */
export const loginText = {
  title: 'Log in',
  username: 'User name',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  submit: 'Log in',
  capsLock: 'Caps Lock is on',
  sessionEnded: 'Your session has ended. Log in again to go on where you were.',
  failed: 'Login failed',
  refused: 'User name or password is not right, or the account is disabled.',
  missing: 'Enter a user name and a password.',
  blocked: (seconds: number | undefined) =>
    seconds === undefined
      ? 'Too many attempts. Wait a few minutes, then try again.'
      : `Too many attempts. Try again in ${Math.max(1, Math.ceil(seconds / 60))} min.`,
  databaseDown: 'The database does not answer, so nobody can log in now. Run svc status on the server to see what is missing.',
  serviceDown: 'The service does not answer. Check that it runs: svc status',
  requestId: 'Request',
  tagline: 'Threat-intelligence monitoring',
  version: (version: string) => `Version ${version}`,
} as const
