import type { Severity } from './indicators.model.ts'

/** Kinds of feed whose values weigh more or less than MEDIUM. Source: docs/decisions/0004. */
const BY_FEED_TYPE: Record<string, Severity> = {
  c2: 'HIGH',
  botnet: 'HIGH',
  ransomware: 'HIGH',
  malware: 'MEDIUM',
  phishing: 'MEDIUM',
  scanner: 'LOW',
  bruteforce: 'LOW',
  spam: 'LOW',
  tor: 'INFO',
  proxy: 'INFO',
}

/** The severity of a value of which its feed says none. */
export function defaultSeverity(feedType: string): Severity {
  return Object.hasOwn(BY_FEED_TYPE, feedType) ? (BY_FEED_TYPE[feedType] ?? 'MEDIUM') : 'MEDIUM'
}
