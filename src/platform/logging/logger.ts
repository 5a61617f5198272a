import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino'
import pretty from 'pino-pretty'

/** Loggers of the service. Source: spec, "Structured log events". */
export type LoggerName =
  | 'svc.http'
  | 'svc.audit'
  | 'svc.security'
  | 'svc.collector'
  | 'svc.cve'
  | 'svc.hunting'
  | 'svc.worker'
  | 'svc.database'
  | 'svc.up'

/**
 * Writes one JSON line per record on the error output. Callers pass single fields, never request or error objects,
 * so nothing sensitive can slip in with them; the values of secret settings are masked all the same.
 */
export type Log = {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}
export type LogFields = Record<string, string | number | boolean | null | undefined>
export type Logging = { for(name: LoggerName): Log }

/** @param format `pretty` is honoured only when the error output is a terminal. */
export function createLogging(options: {
  level: string
  format: string
  destination?: DestinationStream
  /** Goes over each line before it is written. */
  mask?: (line: string) => string
}): Logging {
  const stream =
    options.destination ??
    (options.format === 'pretty' && process.stderr.isTTY
      ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname', singleLine: true })
      : pino.destination({ dest: 2, sync: true }))
  const { mask } = options
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
    },
    mask === undefined ? stream : { write: (line: string) => void stream.write(mask(line)) },
  )
  return { for: (name) => toLog(root.child({ logger: name })) }
}

/** Drops every record: for tests and for one-shot commands that print their own result. */
export const SILENT_LOGGING: Logging = { for: () => ({ debug() {}, info() {}, warn() {}, error() {} }) }

function toLog(logger: PinoLogger): Log {
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
  }
}
