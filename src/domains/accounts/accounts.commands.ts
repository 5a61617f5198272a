import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR, ROLES, type Role } from '#kernel/actor.ts'
import { oneOf } from '#platform/cli/arguments.ts'
import type { Output } from '#platform/cli/output.ts'
import { readFirstLine } from '#platform/cli/read-input.ts'
import type { AccountsService } from './accounts.service.ts'

export type AccountCommandDeps = { accounts: () => Promise<AccountsService>; generatePassword: () => string; out: Output }
type CreateFlags = { username: string; role: Role; email?: string; password?: string; passwordStdin?: boolean; json?: boolean }

/** Adds `svc users …`. */
export function addAccountCommands(program: Command, { accounts, generatePassword, out }: AccountCommandDeps): void {
  const users = program.command('users').description('accounts').addHelpText('after', '\nExample:\n  svc users list')

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
    .action(async ({ username, role, email, password, passwordStdin, json }: CreateFlags) => {
      if (password !== undefined && passwordStdin !== true)
        out.note('warning: a password on the command line can be seen in the list of processes')
      const chosen = passwordStdin === true ? await readFirstLine() : password
      const generated = chosen === undefined ? generatePassword() : undefined
      const user = await (await accounts()).createUser(COMMAND_LINE_ACTOR, {
        username,
        role,
        password: chosen ?? generated ?? '',
        ...(email === undefined ? {} : { email }),
      })
      if (json === true) return out.json(generated === undefined ? user : { ...user, password: generated })
      out.note(`${user.username} (${user.role}) is created.`)
      if (generated !== undefined) out.line(`Password  ${generated}`)
      if (generated !== undefined) out.note('The password is shown this once.')
    })

  users
    .command('list')
    .description('every account, by name')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc users list --json')
    .action(async ({ json }: { json?: boolean }) => {
      const items = await (await accounts()).listUsers()
      if (json === true) return out.json({ items })
      out.table(items, [
        { title: 'username', of: (user) => user.username },
        { title: 'role', of: ({ role }) => role },
        { title: 'status', of: ({ status }) => status },
        { title: 'email', of: ({ email }) => email },
        { title: 'last_login', of: (user) => user.last_login_at },
        { title: 'id', of: ({ id }) => id },
      ])
    })
}
