import { parsePulseBase } from '#domains/feeds/pulse/pulse-address.ts'
import { parseTaxiiAuth } from '#domains/feeds/taxii/taxii-auth.ts'
import { DomainError, type FieldError } from '#kernel/errors.ts'
import { databaseAddressFault, publicUrlFault, redisAddressFault } from '#platform/config/connection-address.ts'
import { refuseFaulty } from '#platform/config/load-config.ts'
import type { Config, SettingName } from '#platform/config/settings.ts'
import { parseTrustedProxies } from '#platform/http/trusted-proxies.ts'
import { parseOrigins } from '#platform/http/web-origins.ts'
import { parseAllowedHosts } from '#platform/outbound/allowed-hosts.ts'
import { type ProductionWords, productionFaults } from './production-rules.ts'
import { webhookFault } from './webhook-hosts.ts'

/**
 * Refuses settings that cannot work anywhere, or that are not safe in production, before anything is opened. Every process of an installation
 * shares its settings, so all are looked at in each, the ones that only another process uses too.
 *
 * Source: spec, "Production start-up refusals"; docs/decisions/0003. @throws setting_invalid naming all of them, never a value
 */
export function requireSafeSettings(config: Config, words: ProductionWords): void {
  refuseFaulty(formFaults(config))
  if (config.ENVIRONMENT === 'production') refuseFaulty(productionFaults(config, words), 'This is production, and settings are not safe')
}

/** All that `requireSafeSettings` would refuse, to be shown. */
export function settingFaults(config: Config, words: ProductionWords): FieldError[] {
  return [...formFaults(config), ...(config.ENVIRONMENT === 'production' ? productionFaults(config, words) : [])]
}

/** What is wrong with the form of a value, wherever the service runs. */
function formFaults(config: Config): FieldError[] {
  return [
    ...judge('DATABASE_URL', config.DATABASE_URL, databaseAddressFault),
    ...judge('MIGRATION_DATABASE_URL', config.MIGRATION_DATABASE_URL, databaseAddressFault),
    ...judge('REDIS_URL', config.REDIS_URL, redisAddressFault),
    ...judge('PUBLIC_URL', config.PUBLIC_URL, publicUrlFault),
    ...tryParse('FORWARDED_ALLOW_IPS', () => parseTrustedProxies(config.FORWARDED_ALLOW_IPS)),
    ...tryParse('CORS_ORIGINS', () => parseOrigins(config.CORS_ORIGINS)),
    ...tryParse('TAXII_AUTH', () => parseTaxiiAuth(config.TAXII_AUTH)),
    ...tryParse('PULSE_BASE_URL', () => parsePulseBase(config.PULSE_BASE_URL)),
    ...judge('ALERT_WEBHOOK_URL', config.ALERT_WEBHOOK_URL, (url) => webhookFault(url, config)),
    ...tryParse('OUTBOUND_ALLOW_HOSTS', () => parseAllowedHosts(config.OUTBOUND_ALLOW_HOSTS)),
  ]
}

function judge(field: SettingName, value: string | undefined, faultOf: (value: string) => string | undefined): FieldError[] {
  const fault = value === undefined ? undefined : faultOf(value)
  return fault === undefined ? [] : [{ field, code: 'setting_invalid', message: `${field} ${fault}.` }]
}

function tryParse(field: SettingName, parse: () => unknown): FieldError[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof DomainError) return [{ field, code: error.code, message: error.message }]
    throw error
  }
}
