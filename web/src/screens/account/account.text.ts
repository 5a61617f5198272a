const NUMBER = new Intl.NumberFormat('en')

function plural(value: number, one: string, many: string): string {
  return `${NUMBER.format(value)} ${value === 1 ? one : many}`
}

/** Every text of the reader's own account. */
export const accountText = {
  title: 'Account',
  tabs: { label: 'Parts of the account', sessions: 'Sessions', password: 'Password' },
  sessions: {
    title: 'Sessions',
    intro: 'Every browser and program that is logged in with your account. End what you do not know, then change your password.',
    columns: { device: 'Where', address: 'Address', began: 'Began', lastUsed: 'Last used', ends: 'Ends', act: 'Action' },
    current: 'This session',
    unknownDevice: 'Unknown program',
    unknownAddress: 'Not known',
    end: 'End',
    endOf: (device: string) => `End the session of ${device}`,
    endThis: 'Log out to end this session',
    endOthers: 'End all others',
    noOthers: 'There is no other session',
    ended: 'The session is ended',
    othersTitle: 'End all other sessions',
    othersWhat: (others: number) => `${plural(others, 'session ends', 'sessions end')} at once. This one stays.`,
    othersDone: (others: number) => `${plural(others, 'session is', 'sessions are')} ended`,
    none: 'No session',
    noneNext: 'This page was opened without one. Log in again.',
  },
  password: {
    title: 'Change password',
    current: 'Current password',
    next: 'New password',
    repeat: 'New password again',
    rules: 'At least 12 characters, not your user name, and none of the commonest passwords. A sentence is easy to keep in mind.',
    effect: 'Your other sessions end; this one stays.',
    submit: 'Change password',
    missing: 'Fill this in.',
    differs: 'The two differ.',
    tooShort: 'At least 12 characters.',
    done: 'Your password is changed. Your other sessions have ended.',
    show: 'Show passwords',
  },
} as const
