import type { AccountsService } from '#domains/accounts/accounts.service.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'

const USERNAME = 'demo-scenario'

/** An account for one walk, with a password that nobody else learns; disabled when the walk is over. */
export type DemoAnalyst = { username: string; password: string; end(): Promise<void> }

export async function openDemoAnalyst(accounts: AccountsService): Promise<DemoAnalyst> {
  const { id, password } = await prepare(accounts)
  return {
    username: USERNAME,
    password,
    async end() {
      await accounts.changeUser(COMMAND_LINE_ACTOR, id, { status: 'DISABLED' })
    },
  }
}

async function prepare(accounts: AccountsService): Promise<{ id: string; password: string }> {
  const known = await accounts.getUserByName(USERNAME).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return undefined
    throw error
  })
  if (known === undefined) {
    const made = await accounts.createUser(COMMAND_LINE_ACTOR, { username: USERNAME, role: 'ANALYST' })
    return { id: made.id, password: made.generated_password ?? '' }
  }
  await accounts.changeUser(COMMAND_LINE_ACTOR, known.id, { status: 'ACTIVE' })
  const { generated_password: password } = await accounts.resetPassword(COMMAND_LINE_ACTOR, known.id)
  return { id: known.id, password: password ?? '' }
}
