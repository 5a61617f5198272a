import type { Action } from '../../shell/can.ts'
import { iocsText } from './iocs.text.ts'

/** Why an IOC cannot be excluded: the role first, since that would stay the reason in a later version. */
export function excludeReason(can: (action: Action) => true | string): string {
  const reason = can('exclusion.add')
  return reason === true ? iocsText.detail.excludeLater : reason
}
