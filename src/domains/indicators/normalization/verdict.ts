import type { IndicatorType, Normalized, RejectCode } from '../indicators.model.ts'

/** A verdict with the value's one normal form. */
export function accepted(type: IndicatorType, value: string): Normalized {
  return { ok: true, type, value }
}

/** A verdict with the reason: one sentence for a person, which never repeats the (possibly hostile) value. */
export function refused(code: RejectCode, reason: string): Normalized {
  return { ok: false, code, reason }
}
