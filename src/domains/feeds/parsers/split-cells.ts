import type { Delimiter } from './feed-row.ts'

/** How a line falls into cells. `quote` empty: quotes mean nothing. */
export type CellRules = { delimiter: Delimiter; quote: string; trim: boolean }

/**
 * Cells of one record, or why there are none: `open`, a quoted cell has not ended; `improper`, text follows a closing quote (told only with
 * `strict`, which is for records joined from several lines: there it means that the lines did not belong together).
 */
export function splitCells(line: string, rules: CellRules, strict = false): string[] | 'open' | 'improper' {
  const { delimiter, quote, trim } = rules
  if (delimiter === 'none') return [unquoteWhole(trim ? line.trim() : line, quote)]
  if (delimiter === 'whitespace') return splitOnBlanks(line).map((cell) => unquoteWhole(cell, quote))
  if (quote === '' || !line.includes(quote)) {
    const cells = line.split(delimiter)
    return trim ? cells.map(trimmed) : cells
  }
  return splitQuoted(line, { delimiter, quote, trim }, strict)
}

/** The same with quotes read as plain characters, for a line whose quote never ends; a lone quote at a cell's beginning is dropped. */
export function splitUnquoted(line: string, rules: CellRules): string[] {
  const cells = splitCells(line, { ...rules, quote: '' })
  if (typeof cells === 'string') return [line]
  if (rules.quote === '') return cells
  return cells.map((cell) => unquoteWhole(cell.startsWith(rules.quote) && !cell.endsWith(rules.quote) ? cell.slice(1) : cell, rules.quote))
}

/** Cheaper than `trim()` on the usual cell, which has nothing to trim. */
function trimmed(cell: string): string {
  return cell.charCodeAt(0) > 32 && cell.charCodeAt(cell.length - 1) <= 126 && cell.charCodeAt(cell.length - 1) > 32 ? cell : cell.trim()
}

function unquoteWhole(cell: string, quote: string): string {
  if (quote === '' || cell.length < 2 || !cell.startsWith(quote) || !cell.endsWith(quote)) return cell
  return cell.slice(1, -1).replaceAll(quote + quote, quote)
}

function splitOnBlanks(line: string): string[] {
  const text = line.trim()
  return text === '' ? [''] : text.split(/[ \t]+/)
}

type Quoted = { delimiter: string; quote: string; trim: boolean }

function splitQuoted(line: string, rules: Quoted, strict: boolean): string[] | 'open' | 'improper' {
  const cells: string[] = []
  let at = 0
  for (;;) {
    const start = rules.trim ? skipBlanks(line, at, rules.delimiter) : at
    let cell: string
    if (line.startsWith(rules.quote, start)) {
      const quoted = readQuoted(line, start, rules)
      if (quoted === undefined) return 'open'
      const tail = line.slice(quoted.next, quoted.end)
      if (strict && tail.trim() !== '') return 'improper'
      cell = quoted.text + (rules.trim ? tail.trim() : tail)
      at = quoted.end
    } else {
      const end = endOfCell(line, start, rules.delimiter)
      cell = line.slice(start, end)
      if (rules.trim) cell = cell.trim()
      at = end
    }
    cells.push(cell)
    if (at >= line.length) return cells
    at++
  }
}

function endOfCell(line: string, from: number, delimiter: string): number {
  const end = line.indexOf(delimiter, from)
  return end === -1 ? line.length : end
}

function skipBlanks(line: string, from: number, delimiter: string): number {
  let at = from
  while (line[at] === ' ' || (line[at] === '\t' && delimiter !== '\t')) at++
  return at
}

/** @returns the text between the quotes, where the quote ended, and where the cell ends; undefined when the quote never ends */
function readQuoted(line: string, start: number, { quote, delimiter }: Quoted): { text: string; next: number; end: number } | undefined {
  let text = ''
  let from = start + 1
  for (;;) {
    const close = line.indexOf(quote, from)
    if (close === -1) return undefined
    text += line.slice(from, close)
    if (line[close + 1] !== quote) return { text, next: close + 1, end: endOfCell(line, close + 1, delimiter) }
    text += quote
    from = close + 2
  }
}
