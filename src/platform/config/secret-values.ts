import { databaseCredentials, redisCredentials } from './connection-address.ts'
import { type Config, SETTINGS, type SettingName } from './settings.ts'

/** Every secret in the settings, in each spelling that stands there: whole values, and the passwords inside addresses as written and decoded. */
export function secretValues(config: Config): string[] {
  const names = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].secret)
  const values = names.flatMap((name) => {
    const value = config[name]
    return typeof value === 'string' ? [value, passwordAsWritten(value)] : []
  })
  const { DATABASE_URL, MIGRATION_DATABASE_URL, REDIS_URL } = config
  const passwords = [
    ...[DATABASE_URL, MIGRATION_DATABASE_URL].map((address) => (address === undefined ? undefined : databaseCredentials(address).password)),
    REDIS_URL === undefined ? undefined : redisCredentials(REDIS_URL, undefined).password,
  ]
  const all = [...values, ...passwords, ...Object.values(config.feedKeys)]
  return [...new Set(all.filter((value) => value !== undefined && value !== ''))] as string[]
}

function passwordAsWritten(address: string): string | undefined {
  return /^[a-z]+:\/\/[^:@/]*:(.*)@/i.exec(address)?.[1]
}
