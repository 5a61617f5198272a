import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Config } from '#platform/config/settings.ts'

/**
 * What a production service must say twice before it starts. Source: docs/decisions/0003.
 * @throws CannotRun naming the setting
 */
export function requireProductionRules(config: Config): void {
  if (config.ENVIRONMENT !== 'production') return
  if (config.OUTBOUND_ALLOW_HOSTS.trim() !== '' && !config.OUTBOUND_ALLOW_INTERNAL)
    throw new CannotRun(
      'OUTBOUND_ALLOW_HOSTS exempts hosts from the outbound guard, and this is production.',
      'set OUTBOUND_ALLOW_INTERNAL=true when that is meant, or empty OUTBOUND_ALLOW_HOSTS',
    )
}
