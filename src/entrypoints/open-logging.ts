import { DomainError } from '#kernel/errors.ts'
import { secretValues } from '#platform/config/secret-values.ts'
import type { Config } from '#platform/config/settings.ts'
import { createLogging, type Logging } from '#platform/logging/logger.ts'
import { createMask } from '#platform/logging/mask.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

/**
 * The log as the settings ask for it. With `quietOnTerminal` a terminal gets warnings only, in a form for people, unless LOG_LEVEL or LOG_FORMAT say otherwise.
 * @throws setting_invalid for a level or format that does not exist
 */
export function openLogging(config: Config, { quietOnTerminal }: { quietOnTerminal: boolean }): Logging {
  const { LOG_LEVEL, LOG_FORMAT, DEBUG } = config
  const forPeople = quietOnTerminal && process.stderr.isTTY === true
  const level = LOG_LEVEL?.toLowerCase() ?? (DEBUG ? 'debug' : forPeople ? 'warn' : 'info')
  const format = LOG_FORMAT?.toLowerCase() ?? (forPeople ? 'pretty' : 'json')
  if (!LEVELS.includes(level)) throw new DomainError('setting_invalid', `LOG_LEVEL must be one of ${LEVELS.join(', ')}.`)
  if (format !== 'json' && format !== 'pretty') throw new DomainError('setting_invalid', 'LOG_FORMAT must be json or pretty.')
  return createLogging({ level, format, mask: createMask(secretValues(config)) })
}
