import { passwordFault } from '#domains/accounts/password.ts'
import type { FieldError } from '#kernel/errors.ts'
import { type Credentials, databaseCredentials, redisCredentials } from '#platform/config/connection-address.ts'
import { isDevelopmentKey, isDevelopmentPassword } from '#platform/config/development-value.ts'
import type { Config, SettingName } from '#platform/config/settings.ts'
import { FIRST_ADMINISTRATOR } from './up/first-administrator.ts'

/** What has been said outside the settings. `embedded`: the database in DATA_DIR is meant. */
export type ProductionWords = { embedded: boolean }

/** Shortest signing key, characters. Source: spec, "Limits". */
export const SECRET_KEY_MIN_LENGTH = 32
const NEW_KEY = '`openssl rand -hex 32` makes one.'

/** Everything in the settings that production must not run with. No message holds a value. Source: spec, "Production start-up refusals". */
export function productionFaults(config: Config, words: ProductionWords): FieldError[] {
  return [
    ...keyFaults('SECRET_KEY', config.SECRET_KEY),
    ...(config.SECRET_KEY_PREVIOUS === undefined ? [] : keyFaults('SECRET_KEY_PREVIOUS', config.SECRET_KEY_PREVIOUS)),
    ...(config.DEBUG ? [fault('DEBUG', 'must be false in production')] : []),
    ...databaseFaults(config, words),
    ...storeFaults(config),
    ...(config.CORS_ORIGINS.includes('*') ? [fault('CORS_ORIGINS', 'must not hold *; name every origin')] : []),
    ...(config.OUTBOUND_ALLOW_HOSTS !== '' && !config.OUTBOUND_ALLOW_INTERNAL
      ? [fault('OUTBOUND_ALLOW_HOSTS', 'exempts hosts from the outbound guard; set OUTBOUND_ALLOW_INTERNAL=true when that is meant')]
      : []),
    ...administratorFaults(config),
    ...(config.METRICS_TOKEN !== undefined && isDevelopmentPassword(config.METRICS_TOKEN, [])
      ? [fault('METRICS_TOKEN', 'is a development value; use a random one')]
      : []),
  ]
}

function keyFaults(field: SettingName, key: string | undefined): FieldError[] {
  if (key === undefined) return [fault(field, `is not set. ${NEW_KEY}`)]
  if (key.length < SECRET_KEY_MIN_LENGTH) return [fault(field, `has fewer than ${SECRET_KEY_MIN_LENGTH} characters. ${NEW_KEY}`)]
  return isDevelopmentKey(key) ? [fault(field, `is a default, a development value or no random one. ${NEW_KEY}`)] : []
}

function databaseFaults({ DATABASE_URL, MIGRATION_DATABASE_URL }: Config, { embedded }: ProductionWords): FieldError[] {
  const faults: FieldError[] = []
  if (DATABASE_URL !== undefined) faults.push(...passwordFaults('DATABASE_URL', databaseCredentials(DATABASE_URL)))
  else if (!embedded)
    faults.push(fault('DATABASE_URL', 'is not set; name the database, or say `svc up --embedded` to keep the data in DATA_DIR'))
  if (MIGRATION_DATABASE_URL === undefined) return faults
  const owner = databaseCredentials(MIGRATION_DATABASE_URL)
  // The owner's address may leave its password to the server's own rules: no process but `svc db` opens it.
  return owner.password === undefined ? faults : [...faults, ...passwordFaults('MIGRATION_DATABASE_URL', owner)]
}

function storeFaults({ REDIS_URL, REDIS_PASSWORD, STORE_IN_PROCESS }: Config): FieldError[] {
  if (REDIS_URL !== undefined)
    return passwordFaults('REDIS_URL', redisCredentials(REDIS_URL, REDIS_PASSWORD), ' and REDIS_PASSWORD is not set')
  return STORE_IN_PROCESS ? [] : [fault('REDIS_URL', 'is not set; name the store, or set STORE_IN_PROCESS=true when none is meant')]
}

function passwordFaults(field: SettingName, { username, password, database }: Credentials, elsewhere = ''): FieldError[] {
  if (password === undefined) return [fault(field, `holds no password${elsewhere}`)]
  const names = [username, database].filter((name) => name !== undefined)
  return isDevelopmentPassword(password, names) ? [fault(field, 'has a development password; use a random one')] : []
}

function administratorFaults({ ADMIN_PASSWORD }: Config): FieldError[] {
  const broken = ADMIN_PASSWORD === undefined ? undefined : passwordFault(ADMIN_PASSWORD, FIRST_ADMINISTRATOR)
  return broken === undefined ? [] : [fault('ADMIN_PASSWORD', `breaks the password rules: ${broken.message}`)]
}

function fault(field: SettingName, what: string): FieldError {
  return { field, code: 'unsafe', message: `${field} ${what}${what.endsWith('.') ? '' : '.'}` }
}
