import { databaseCredentials, redisCredentials } from './connection-address.ts'
import { type Config, SETTINGS, type SettingName } from './settings.ts'

/** Every secret in the settings, in each spelling that stands there: whole values, passwords inside addresses as written and decoded, texts inside JSON. */
export function secretValues(config: Config): string[] {
  const names = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].secret)
  const values = names.flatMap((name) => {
    const value = config[name]
    return typeof value === 'string' ? [value, passwordAsWritten(value), ...leavesOf(value)] : []
  })
  const { DATABASE_URL, MIGRATION_DATABASE_URL, REDIS_URL } = config
  const passwords = [
    ...[DATABASE_URL, MIGRATION_DATABASE_URL].map((address) => (address === undefined ? undefined : databaseCredentials(address).password)),
    REDIS_URL === undefined ? undefined : redisCredentials(REDIS_URL, undefined).password,
  ]
  const all = [...values, ...passwords, ...Object.values(config.feedKeys)]
  return [...new Set(all.filter((value) => value !== undefined && value !== ''))] as string[]
}

/** The texts of a value that is JSON, such as the credentials in TAXII_AUTH. */
function leavesOf(value: string): string[] {
  if (!value.startsWith('{')) return []
  const leaves: string[] = []
  try {
    JSON.parse(value, (_key, leaf: unknown) => {
      if (typeof leaf === 'string') leaves.push(leaf)
      return leaf
    })
  } catch {
    // Refused elsewhere, by name.
  }
  return leaves
}

function passwordAsWritten(address: string): string | undefined {
  return /^[a-z]+:\/\/[^:@/]*:(.*)@/i.exec(address)?.[1]
}
