import Table from 'cli-table3'

/** Blanks between two columns. */
const GAP = 2
/** No column gets narrower than this, however narrow the terminal: then the lines wrap instead. */
const NARROWEST = 8
/** A column that has this much room is worth showing, and a table has at least so many. Assumption: a name and its state. */
const LEGIBLE = 36
const FEWEST_COLUMNS = 2
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}

/** What a terminal of a given width shows of a table. */
export type DrawnTable = { text: string; hidden: string[] }

/**
 * Columns under their titles. Where the width is too small for all, the last columns are left out first, and then the widest are cut:
 * half a name helps nobody. Undefined or 0: as wide as it wants to be.
 */
export function drawTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { width = 0, head = (title) => title }: { width?: number | undefined; head?: (title: string) => string },
): DrawnTable {
  const natural = titles.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(displayWidth)) + GAP)
  const shown = countFitting(natural, width)
  const table = new Table({
    head: titles.slice(0, shown).map(head),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    colWidths: fitWidths(natural.slice(0, shown), width),
  })
  table.push(...rows.map((row) => row.slice(0, shown)))
  const lines = table.toString().split('\n')
  return { text: lines.map((line) => line.trimEnd()).join('\n'), hidden: titles.slice(shown) }
}

/** How many of the first columns fit, each at least in part. */
function countFitting(natural: readonly number[], width: number): number {
  if (width <= 0) return natural.length
  let used = 0
  for (const [column, wanted] of natural.entries()) {
    used += Math.min(wanted, LEGIBLE)
    if (used > width) return Math.max(FEWEST_COLUMNS, column)
  }
  return natural.length
}

/** Takes a character from the widest column until the sum fits. */
export function fitWidths(natural: readonly number[], width: number): number[] {
  const widths = [...natural]
  if (width <= 0) return widths
  let excess = widths.reduce((sum, next) => sum + next, 0) - width
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return widths
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
/** East Asian wide and emoji characters take two columns. Source: Unicode, East_Asian_Width, the blocks that occur in text. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu

function displayWidth(text: string): number {
  const plain = text.replace(COLOUR, '')
  return [...plain].length + (plain.match(WIDE)?.length ?? 0)
}
