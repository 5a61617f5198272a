import { classify } from './classify.ts'

/** A value and the line, from 1, on which it was pasted. */
export type PastedValue = { value: string; line: number }

const DEFANGED_OR_PLAIN_SCHEME = /^[a-z*][a-z0-9+*-]{0,30}\s{0,2}[[(]?:/i

/**
 * The values in a pasted text: one a line, or several on a line with commas or semicolons between them.
 *
 * A comma may be part of a URL, so a line that begins like one is only split where every piece is a value of its own.
 */
export function splitValues(text: string): PastedValue[] {
  return text.split(/\r\n|\r|\n/).flatMap((content, index) => piecesOf(content).map((value) => ({ value, line: index + 1 })))
}

function piecesOf(line: string): string[] {
  const whole = line.trim()
  if (whole === '') return []
  const pieces = whole
    .split(/[,;]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  const mayHoldCommas = DEFANGED_OR_PLAIN_SCHEME.test(whole)
  return mayHoldCommas && !pieces.every((piece) => classify(piece) !== undefined) ? [whole] : pieces
}
