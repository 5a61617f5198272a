import type { Indicator } from '../../api/indicators.ts'
import { useCan } from '../../shell/use-can.ts'
import { iocsText } from './iocs.text.ts'

/** True, or why these IOCs cannot be excluded. */
export function useExcludeReason(iocs: readonly Pick<Indicator, 'exclusion'>[]): true | string {
  const allowed = useCan()('exclusion.add')
  if (allowed !== true) return allowed
  return iocs.every(({ exclusion }) => exclusion !== null) ? iocsText.exclusion.already : true
}
