import type { AuditEvent } from '../../api/audit.ts'
import type { User } from '../../api/users.ts'

const NUMBER = new Intl.NumberFormat('en')

/** `12,345`. */
export function count(value: number): string {
  return NUMBER.format(value)
}

export function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

const ROLE_WORDS: Record<User['role'], string> = { ADMIN: 'Administrator', ANALYST: 'Analyst', VIEWER: 'Viewer' }
const STATUS_WORDS: Record<User['status'], string> = { ACTIVE: 'Active', DISABLED: 'Disabled' }
const OUTCOME_WORDS: Record<AuditEvent['outcome'], string> = { SUCCESS: 'Success', FAILURE: 'Failure', DENIED: 'Denied' }

/** Every text of the Administration screens. */
export const administrationText = {
  title: 'Administration',
  tabs: { label: 'Parts of the administration', users: 'Users', exclusions: 'Exclusions', audit: 'Audit', settings: 'Settings' },
  closed: 'Administration is for administrators',
  closedNext: (reason: string) => `${reason}. Ask an administrator if you need something from here.`,
  noMatchNext: 'Take a filter away to see more.',
  clear: 'Clear filters',
} as const

export const exclusionsText = {
  title: 'Exclusions',
  intro:
    'False positives: what is named here is collected and stored as before, and stands in no list, count, hunt or export. An IOC is excluded where it stands, with the key e.',
  total: (rows: number) => plural(rows, 'exclusion', 'exclusions'),
  columns: { value: 'Excluded', kind: 'Covers', reason: 'Because', by: 'By', since: 'Since', ends: 'Ends', state: 'State' },
  kind: { VALUE: 'This value', DOMAIN: 'Names below it', NETWORK: 'Addresses inside', HOST: 'URLs on it' },
  state: { ACTIVE: 'Active', ENDED: 'Ended' },
  anyKind: 'Any kind',
  anyState: 'Active and ended',
  never: 'never',
  nothing: 'Nothing is excluded',
  nothingNext: 'Open an IOC that is harmless and press e, or on the command line:',
  command: "svc soc exclude <value> --reason '<why>'",
  noMatch: 'No exclusion matches these filters',
  removal: (value: string) => `Remove the exclusion of ${value}?`,
  remove: 'Remove exclusion',
  said: (by: string, reason: string) => `${by} excluded it because: ${reason}`,
  working: 'Finding out what comes back…',
  comeback: ({ active, expired, still_excluded }: { active: number; expired: number; still_excluded: number }) =>
    [
      active === 0 ? 'No IOC of today counts again.' : `${plural(active, 'IOC counts', 'IOCs count')} again.`,
      ...(expired === 0 ? [] : [`${plural(expired, 'has', 'have')} expired meanwhile.`]),
      ...(still_excluded === 0 ? [] : [`${plural(still_excluded, 'stays', 'stay')} out by another exclusion.`]),
    ].join(' '),
  removed: (value: string, active: number) => `${value} is not excluded any more; ${plural(active, 'IOC counts', 'IOCs count')} again`,
} as const

export const usersText = {
  title: 'Users',
  add: 'New account',
  role: ROLE_WORDS,
  roleMeaning: {
    ADMIN: 'Everything, with sources, accounts, journal and settings',
    ANALYST: 'Reads everything, submits IOCs and works on alerts and incidents',
    VIEWER: 'Reads only',
  } satisfies Record<User['role'], string>,
  status: STATUS_WORDS,
  columns: {
    name: 'Name',
    role: 'Role',
    status: 'Status',
    lastLogin: 'Last login',
    sessions: 'Sessions',
    email: 'E-mail',
    created: 'Created',
  },
  you: 'you',
  total: (users: number) => plural(users, 'account', 'accounts'),
  shown: (shown: number, total: number) => `${count(shown)} of ${plural(total, 'account', 'accounts')}`,
  filters: {
    text: 'Name or e-mail',
    clearText: 'Clear the text',
    role: 'Role',
    anyRole: 'Any role',
    status: 'Status',
    anyStatus: 'Active and disabled',
  },
  empty: {
    noMatch: 'No account matches these filters',
    nothing: 'No account',
    nothingNext: 'The first administrator is made on the command line:',
    command: 'svc users create --username admin --role ADMIN',
  },
  drawer: {
    missing: 'There is no such account',
    missingNext: 'It is not in the list. Close this and look by name.',
    facts: 'Facts',
    names: {
      name: 'User name',
      email: 'E-mail',
      role: 'Role',
      status: 'Status',
      lastLogin: 'Last login',
      sessions: 'Active sessions',
      created: 'Created',
      version: 'Version',
      id: 'ID',
    },
    none: 'None',
    journal: 'Journal',
    didLink: (name: string) => `What ${name} did`,
    changeRole: 'Change role',
    disable: 'Disable',
    enable: 'Enable',
    reset: 'Reset password',
    revoke: 'End sessions',
    own: 'This is your own account. What you do here can log you out.',
    lastAdminTitle: 'Last active administrator',
    lastAdminWhy:
      'Somebody must be able to administer, so this account can neither be disabled nor get another role. Make another account administrator first.',
  },
  reasons: {
    lastAdminDisable: 'Last active administrator cannot be disabled',
    lastAdminRole: 'Last active administrator cannot get another role',
    noSessions: 'No session is active',
    ownPassword: 'Change your own password in the account menu',
    sameRole: 'Choose another role first',
    needsName: 'Give a user name first',
  },
  create: {
    title: 'New account',
    name: 'User name',
    nameHint: 'For logging in. It cannot be changed later.',
    email: 'E-mail',
    emailHint: 'Optional',
    role: 'Role',
    own: 'Set a password myself',
    password: 'Password',
    passwordHint: 'At least 12 characters, not the user name, and none of the commonest passwords.',
    generated: 'A password is generated and shown once, right after.',
    submit: 'Create account',
    cancel: 'Cancel',
    done: (name: string) => `The account ${name} is created`,
  },
  roleDialog: {
    title: (name: string) => `Change the role of ${name}`,
    role: 'Role',
    submit: 'Change role',
    cancel: 'Cancel',
    effect: 'It holds from the next request on; nobody has to log in again.',
    own: 'This is your own account: as anything but administrator you leave this screen and cannot come back by yourself.',
    done: (name: string, role: string) => `${name} is ${role} now`,
  },
  confirm: {
    disable: {
      title: (name: string) => `Disable ${name}`,
      what: (sessions: number) =>
        sessions === 0
          ? 'Nobody can log in with this account until it is enabled again.'
          : `${plural(sessions, 'session ends', 'sessions end')} at once, and nobody can log in with this account until it is enabled again.`,
      own: 'This is your own account: you will be logged out, and another administrator must enable it again.',
      submit: 'Disable account',
      done: (name: string) => `${name} is disabled`,
    },
    reset: {
      title: (name: string) => `Reset the password of ${name}`,
      what: (sessions: number) =>
        `A new password is generated and shown once. The old one ends${sessions === 0 ? '.' : `, and so ${sessions === 1 ? 'does 1 session' : `do ${count(sessions)} sessions`}.`}`,
      own: 'This is your own account: change its password in the account menu.',
      submit: 'Reset password',
      done: (name: string) => `The password of ${name} is reset`,
    },
    revoke: {
      title: (name: string) => `End the sessions of ${name}`,
      what: (sessions: number) => `${plural(sessions, 'session ends', 'sessions end')} at once. The account can log in again.`,
      own: 'This is your own account: you will be logged out. Sessions in the account menu can spare this one.',
      submit: 'End sessions',
      done: (name: string) => `The sessions of ${name} are ended`,
    },
  },
  enabled: (name: string) => `${name} is enabled`,
  secret: {
    title: (name: string) => `Password of ${name}`,
    once: 'This is shown once and stored nowhere. Copy it now, and hand it over safely.',
    label: 'Generated password',
    copy: 'Copy',
    copied: 'Copied',
    next: 'The holder changes it in the account menu after the first login.',
    lost: 'If it gets lost, reset the password again.',
    close: 'I have kept it',
  },
  conflict: {
    title: 'Someone else changed this account meanwhile',
    what: 'What is different now:',
    unchanged: 'Role and status are as before.',
    from: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
    goOn: 'Go on with the newer version',
  },
} as const

export const auditText = {
  title: 'Audit',
  outcome: OUTCOME_WORDS,
  chain: { OK: 'Intact', BROKEN: 'Broken' } satisfies Record<AuditEvent['chain'], string>,
  chainMeaning: {
    OK: 'This row is what was written, after the row that was written before it.',
    BROKEN:
      'This row is not what was written, or the row before it is gone. Find out who can write to the database, and run svc audit verify.',
  } satisfies Record<AuditEvent['chain'], string>,
  columns: {
    at: 'Time',
    action: 'Action',
    outcome: 'Outcome',
    actor: 'Actor',
    target: 'Target',
    client: 'Address',
    chain: 'Chain',
  },
  total: (total: number, exact: boolean) => `${exact ? '' : '≈ '}${plural(total, 'event', 'events')}`,
  broken: (rows: number) =>
    rows === 1 ? '1 row on this page is not what was written' : `${count(rows)} rows on this page are not what was written`,
  brokenNext: 'The journal was changed behind the service. Keep a copy of the database, and find the first broken row of each lane with',
  verify: 'svc audit verify',
  none: 'none',
  system: 'the service',
  filters: {
    action: 'Action begins with',
    actionHint: 'Action, such as auth.',
    outcome: 'Outcome',
    anyOutcome: 'Any outcome',
    since: 'Time',
    sinceAny: 'Any time',
    sinceHours: (hours: number) =>
      hours % 24 === 0 ? `Last ${plural(hours / 24, 'day', 'days')}` : `Last ${plural(hours, 'hour', 'hours')}`,
    actor: 'Actor',
    actorHint: 'Actor, whole name',
    request: 'Request id',
    clear: (name: string) => `Clear: ${name}`,
  },
  empty: {
    nothing: 'Nothing was journalled yet',
    noMatch: 'No event matches these filters',
    noMatchNext: 'An action is matched by its beginning, an actor by the whole name.',
    noMatchHere: 'No match in this part of the journal',
    noMatchHereNext: 'There are older events that were not searched yet.',
    goOn: 'Search older events',
  },
  drawer: {
    missing: 'This event is not on this page of the journal',
    missingNext: 'Newer events may have moved it to an older page, or a filter hides it.',
    facts: 'Event',
    details: 'Details',
    noDetails: 'No details were journalled with it.',
    chain: 'Chain',
    request: 'Request',
    everything: 'Everything of this request',
    noRequest: 'It did not come in by a request.',
    names: {
      at: 'Time',
      action: 'Action',
      outcome: 'Outcome',
      actor: 'Actor',
      actorId: 'Actor id',
      targetType: 'Target type',
      targetName: 'Target',
      targetId: 'Target id',
      client: 'Address',
      request: 'Request id',
      id: 'Event id',
    },
  },
  trace: {
    title: 'Everything of this request',
    loading: 'Reading the request',
    line: 'Access line',
    noLine: 'The service no longer remembers this request: it keeps the last 10,000 of each process. Its line stands in the log.',
    request: 'Request',
    status: 'Status',
    took: 'Took',
    milliseconds: (value: number) => `${count(value)} ms`,
    client: 'Address',
    at: 'Time',
    events: (events: number) => `Events (${count(events)})`,
    noEvents: 'It left nothing in the journal.',
    filter: 'Show these events alone',
  },
  yes: 'yes',
  no: 'no',
} as const

export const settingsText = {
  title: 'Settings',
  intro:
    'As they are in effect in the running API. They are read at start-up: change them in the environment or the settings file, then restart.',
  columns: { setting: 'Setting', value: 'Value', about: 'About' },
  unset: 'not set',
  present: 'Secret, present',
  absent: 'Secret, absent',
  total: (settings: number) => plural(settings, 'setting', 'settings'),
  shown: (shown: number, total: number) => `${count(shown)} of ${plural(total, 'setting', 'settings')}`,
  filters: {
    text: 'Name, value or meaning',
    clearText: 'Clear the text',
    show: 'Which settings',
    shows: { all: 'All settings', secret: 'Secrets', set: 'Set', unset: 'Not set' },
  },
  noMatch: 'No setting matches these filters',
} as const
