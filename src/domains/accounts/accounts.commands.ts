import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR, ROLES, type Role } from '#kernel/actor.ts'
import { oneOf } from '#platform/cli/arguments.ts'
import type { Output } from '#platform/cli/output.ts'
import { readFirstLine } from '#platform/cli/read-input.ts'
import { USERS_PAGE_MAX, type UserStatus } from './accounts.model.ts'
import type { AccountsService } from './accounts.service.ts'

export type AccountCommandDeps = { accounts: () => Promise<AccountsService>; out: Output }

/** Adds `svc users …`. */
export function addAccountCommands(program: Command, deps: AccountCommandDeps): void {
  const users = program
    .command('users')
    .description('accounts')
    .addHelpText('after', '\nExamples:\n  svc users list\n  svc users create --username ana --role analyst\n  svc users disable ana')
  addCreate(users, deps)
  addList(users, deps)
  addStatusChange(users, deps, { verb: 'disable', status: 'DISABLED' })
  addStatusChange(users, deps, { verb: 'enable', status: 'ACTIVE' })
  addSetRole(users, deps)
  addSetPassword(users, deps)
  addRevokeSessions(users, deps)
}

type PasswordFlags = { password?: string; passwordStdin?: boolean }

/** The password of the flags; undefined when one is to be generated. */
async function readPassword({ password, passwordStdin }: PasswordFlags, out: Output): Promise<string | undefined> {
  if (passwordStdin === true) return await readFirstLine()
  if (password !== undefined) out.note('warning: a password on the command line can be seen in the list of processes')
  return password
}

function showGenerated(out: Output, password: string | null): void {
  if (password === null) return
  out.line(`Password  ${password}`)
  out.note('The password is shown this once.')
}

function addCreate(users: Command, { accounts, out }: AccountCommandDeps): void {
  type Flags = PasswordFlags & { username: string; role: Role; email?: string; json?: boolean }
  users
    .command('create')
    .description('makes an account; without a password one is generated and shown once')
    .requiredOption('--username <name>', 'name to log in with')
    .requiredOption('--role <role>', ROLES.join(', '), oneOf(ROLES))
    .option('--email <address>', 'where the person is reached')
    .option('--password <text>', 'seen by everybody who can list processes; --password-stdin is not')
    .option('--password-stdin', 'reads the password from the first line of standard input')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc users create --username ana --role analyst\n  pass show svc/ana | svc users create --username ana --role analyst --password-stdin',
    )
    .action(async ({ username, role, email, json, ...flags }: Flags) => {
      const password = await readPassword(flags, out)
      const user = await (await accounts()).createUser(COMMAND_LINE_ACTOR, {
        username,
        role,
        ...(password === undefined ? {} : { password }),
        ...(email === undefined ? {} : { email }),
      })
      if (json === true) return out.json(user)
      out.note(`${user.username} (${user.role}) is created.`)
      showGenerated(out, user.generated_password)
    })
}

function addList(users: Command, { accounts, out }: AccountCommandDeps): void {
  users
    .command('list')
    .description('every account, by name')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc users list --json')
    .action(async ({ json }: { json?: boolean }) => {
      const service = await accounts()
      const items = []
      let cursor: string | undefined
      do {
        const page = await service.pageUsers({ limit: USERS_PAGE_MAX, ...(cursor === undefined ? {} : { cursor }) })
        items.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      if (json === true) return out.json({ items })
      out.table(items, [
        { title: 'username', of: (user) => user.username },
        { title: 'role', of: ({ role }) => role },
        { title: 'status', of: ({ status }) => status },
        { title: 'email', of: ({ email }) => email },
        { title: 'last_login', of: (user) => user.last_login_at },
        { title: 'sessions', of: (user) => user.active_sessions },
        { title: 'id', of: ({ id }) => id },
      ])
    })
}

function addStatusChange(
  users: Command,
  { accounts, out }: AccountCommandDeps,
  { verb, status }: { verb: string; status: UserStatus },
): void {
  users
    .command(`${verb} <username>`)
    .description(status === 'DISABLED' ? 'cuts an account off at once and ends its sessions' : 'lets a disabled account log in again')
    .option('--json', 'as JSON')
    .addHelpText('after', `\nExample:\n  svc users ${verb} ana`)
    .action(async (username: string, { json }: { json?: boolean }) => {
      const service = await accounts()
      const user = await service.changeUser(COMMAND_LINE_ACTOR, (await service.getUserByName(username)).id, { status })
      if (json === true) return out.json(user)
      out.note(`${user.username} is ${user.status === 'ACTIVE' ? 'active' : 'disabled'}.`)
    })
}

function addSetRole(users: Command, { accounts, out }: AccountCommandDeps): void {
  users
    .command('set-role')
    .argument('<username>', 'whose')
    .argument('<role>', ROLES.join(', '), oneOf(ROLES))
    .description('gives an account another role; it counts at the next request')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc users set-role ana admin')
    .action(async (username: string, role: Role, { json }: { json?: boolean }) => {
      const service = await accounts()
      const user = await service.changeUser(COMMAND_LINE_ACTOR, (await service.getUserByName(username)).id, { role })
      if (json === true) return out.json(user)
      out.note(`${user.username} is ${user.role}.`)
    })
}

function addSetPassword(users: Command, { accounts, out }: AccountCommandDeps): void {
  users
    .command('set-password <username>')
    .description('sets a new password and ends every session; without one it is generated and shown once')
    .option('--password <text>', 'seen by everybody who can list processes; --password-stdin is not')
    .option('--password-stdin', 'reads the password from the first line of standard input')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc users set-password ana\n  pass show svc/ana | svc users set-password ana --password-stdin')
    .action(async (username: string, { json, ...flags }: PasswordFlags & { json?: boolean }) => {
      const password = await readPassword(flags, out)
      const service = await accounts()
      const { id } = await service.getUserByName(username)
      const done = await service.resetPassword(COMMAND_LINE_ACTOR, id, password)
      if (json === true) return out.json(done)
      out.note(`The password of ${username} is set, and its sessions are ended.`)
      showGenerated(out, done.generated_password)
    })
}

function addRevokeSessions(users: Command, { accounts, out }: AccountCommandDeps): void {
  users
    .command('revoke-sessions <username>')
    .description('ends every session of an account; it can log in again')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc users revoke-sessions ana')
    .action(async (username: string, { json }: { json?: boolean }) => {
      const service = await accounts()
      const revoked = await service.revokeSessions(COMMAND_LINE_ACTOR, (await service.getUserByName(username)).id)
      if (json === true) return out.json({ revoked })
      out.note(`${revoked} ${revoked === 1 ? 'session is' : 'sessions are'} ended.`)
    })
}
