import type { Command } from 'commander'
import { wholeNumber } from '#platform/cli/arguments.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import { confirm } from '#platform/cli/confirm.ts'
import { EXIT_FAILED } from '#platform/cli/output.ts'
import type { Db } from '#platform/database/database.ts'
import type { CliContext } from './cli-context.ts'

const MAX_STEPS = 1000

/** Adds `svc db …`. These commands run as the owner of the database. */
export function addDatabaseCommands(program: Command, context: CliContext): void {
  const db = program
    .command('db')
    .description('the schema of the database')
    .addHelpText(
      'after',
      '\nSettings: MIGRATION_DATABASE_URL names the database as its owner. With neither it nor DATABASE_URL set, the embedded database of DATA_DIR is meant.\n\nExamples:\n  svc db upgrade\n  svc db check',
    )
  addUpgrades(db, context)
  addInspection(db, context)
  addAppRole(db, context)
}

function addUpgrades(db: Command, context: CliContext): void {
  const { out, config } = context

  db.command('init')
    .description('creates what is missing: the application role as far as the owner may, the schema, the rights')
    .addHelpText('after', '\nExample:\n  SVC_APP_DB_PASSWORD=… MIGRATION_DATABASE_URL=postgres://svc:…@db/svc svc db init')
    .action(async () => {
      const ownerUrl = await ownerUrlOf(context, true)
      const { DATABASE_APP_ROLE, APP_DB_PASSWORD } = config()
      const { ensureAppRole } = await import('#platform/database/app-role.ts')
      const role = await ensureAppRole(ownerUrl, DATABASE_APP_ROLE, APP_DB_PASSWORD)
      if (role === 'created') out.note(`The role ${DATABASE_APP_ROLE} is created.`)
      if (role === 'missing')
        out.note(
          `warning: the role ${DATABASE_APP_ROLE} does not exist. Next: SVC_APP_DB_PASSWORD=… svc db app-role ${DATABASE_APP_ROLE} --create`,
        )
      await upgrade(context, ownerUrl)
    })

  db.command('upgrade')
    .description('applies every missing migration, and gives the application role its rights')
    .addHelpText('after', '\nExample:\n  svc db upgrade')
    .action(async () => await upgrade(context, await ownerUrlOf(context, true)))

  db.command('downgrade')
    .description('takes back the newest migrations, and with them what their tables hold')
    .option('--steps <number>', 'how many', wholeNumber(1, MAX_STEPS), 1)
    .option('--yes', 'does not ask')
    .addHelpText('after', '\nExample:\n  svc db downgrade --steps 1 --yes')
    .action(async ({ steps, yes }: { steps: number; yes?: boolean }) => {
      const ownerUrl = await ownerUrlOf(context, false)
      if (!(await confirm(`Take back ${steps} migration(s) and what their tables hold?`, yes === true, context.signal()))) {
        out.note('Nothing was taken back.')
        out.exitCode = EXIT_FAILED
        return
      }
      const { migrateDown } = await import('#platform/database/migrations.ts')
      const undone = await migrateDown(ownerUrl, steps)
      for (const name of undone) out.line(name)
      out.note(undone.length === 0 ? 'There was nothing to take back.' : `${undone.length} migration(s) taken back.`)
    })
}

async function upgrade({ out, config }: CliContext, ownerUrl: string): Promise<void> {
  const { migrateToLatest } = await import('#platform/database/migrations.ts')
  const applied = await migrateToLatest(ownerUrl, config().DATABASE_APP_ROLE)
  for (const name of applied) out.line(name)
  out.note(applied.length === 0 ? 'The schema is up to date.' : `${applied.length} migration(s) applied.`)
}

function addInspection(db: Command, context: CliContext): void {
  const { out, config } = context

  db.command('current')
    .description('where the schema stands')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc db current')
    .action(async ({ json }: { json?: boolean }) => {
      const { readSchemaVersion } = await import('#platform/database/migrations.ts')
      const { current, head, missing } = await withDatabase(await ownerUrlOf(context, false), readSchemaVersion)
      if (json === true) return out.json({ current: current ?? null, head, missing })
      out.line(`${current ?? '(nothing)'}${missing === 0 ? ' (head)' : ''}`)
      if (missing > 0) out.note(`${missing} migration(s) are missing up to ${head}. Next: svc db upgrade`)
    })

  db.command('check')
    .description(
      'compares the database with what this version expects: migrations, rights, guards of append-only tables; exit code 1 on findings',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc db check')
    .action(async ({ json }: { json?: boolean }) => {
      const { checkSchema } = await import('#platform/database/schema-check.ts')
      const findings = await withDatabase(
        await ownerUrlOf(context, false),
        async (open) => await checkSchema(open, config().DATABASE_APP_ROLE),
      )
      if (findings.length > 0) out.exitCode = EXIT_FAILED
      if (json === true) return out.json({ findings })
      for (const { finding, remedy } of findings) out.mark('bad', finding, remedy)
      if (findings.length === 0) out.mark('good', 'The database is as this version expects it.')
    })
}

function addAppRole(db: Command, context: CliContext): void {
  const { out, config } = context
  db.command('app-role <role>')
    .description('gives the application role its rights')
    .option('--create', 'creates the role with the password from SVC_APP_DB_PASSWORD, or gives an existing one that password')
    .addHelpText('after', '\nExample:\n  SVC_APP_DB_PASSWORD=… svc db app-role svc_app --create')
    .action(async (role: string, { create }: { create?: boolean }) => {
      const password = create === true ? config().APP_DB_PASSWORD : undefined
      if (create === true && password === undefined)
        throw new CannotRun('SVC_APP_DB_PASSWORD is not set.', 'set it to the password that the role is to have')
      const { ensureAppRole } = await import('#platform/database/app-role.ts')
      const outcome = await ensureAppRole(await ownerUrlOf(context, true), role, password)
      if (outcome === 'missing')
        throw new CannotRun(`The role ${role} does not exist.`, `SVC_APP_DB_PASSWORD=… svc db app-role ${role} --create`)
      out.note(`${role}: ${{ created: 'created', password_changed: 'password changed', kept: 'kept' }[outcome]}; rights given.`)
    })
}

async function ownerUrlOf(context: CliContext, create: boolean): Promise<string> {
  const { ownerUrl } = await context.databases({ create })
  if (ownerUrl === undefined)
    throw new CannotRun('This needs the owner of the database.', 'set MIGRATION_DATABASE_URL to the owner role of the database')
  return ownerUrl
}

async function withDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { openDatabase, openPool } = await import('#platform/database/database.ts')
  const open = openDatabase(openPool(url, { maxConnections: 1, applicationName: 'svc db' }))
  try {
    return await work(open)
  } finally {
    await open.destroy()
  }
}
