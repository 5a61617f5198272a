import type { IndicatorType } from '../../api/indicators.ts'
import { classify } from '../../screens/iocs/classify.ts'
import { splitValues } from '../../screens/iocs/split-values.ts'

const CVE_ID = /^cve-\d{4}-\d{4,19}$/i

/** What the reader gave to the palette: words to filter by, one value, or several values to look up. */
export type PaletteQuery =
  | { kind: 'cve'; id: string }
  | { kind: 'words'; words: string }
  | { kind: 'value'; value: string; type: IndicatorType }
  | { kind: 'values'; values: readonly string[] }

/** Reads the box. Several values are several lines, or pieces between commas and blanks that are each recognised. */
export function readQuery(text: string): PaletteQuery {
  const whole = text.trim()
  if (CVE_ID.test(whole)) return { kind: 'cve', id: whole.toUpperCase() }
  const type = classify(whole)
  if (type !== undefined) return { kind: 'value', value: whole, type }
  const lines = splitValues(whole).map(({ value }) => value)
  if (/[\r\n]/.test(whole) && lines.length > 1) return { kind: 'values', values: unique(lines) }
  const pieces = lines.flatMap((line) => line.split(/\s+/))
  if (pieces.length > 1 && pieces.every((piece) => classify(piece) !== undefined)) return { kind: 'values', values: unique(pieces) }
  return { kind: 'words', words: whole }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
