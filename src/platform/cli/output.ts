import picocolors from 'picocolors'
import { toPrintable } from './printable.ts'
import { drawTable } from './table.ts'

/** What a cell can hold; a date is printed in RFC 3339, null and undefined as nothing. */
export type Cell = string | number | boolean | Date | null | undefined
export type Column<Item> = { title: string; of: (item: Item) => Cell }

/** Exit codes. Source: docs/decisions/0012. */
export const EXIT_FAILED = 1
export const EXIT_CANNOT_RUN = 2
export const EXIT_USAGE = 64

/** A stream as far as output needs to know it. */
export type Stream = { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined }
export type Mark = 'good' | 'warning' | 'bad'

/** Where commands print: data on standard output, everything else on standard error. */
export type Output = {
  /** The exit code so far; commands raise it, they never end the process. */
  exitCode: number
  /** Data: columns drawn on a terminal, the same columns with tabs between them when piped. */
  table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void
  json(value: unknown): void
  /** One line of data. */
  line(text: string): void
  /** One line for the person at the terminal. */
  note(text: string): void
  /** One line of a check: a sign and a word, so that it can be read without colour. */
  mark(mark: Mark, text: string, remedy?: string): void
  /** A line that replaces itself, on a terminal only. An empty text takes it away. */
  progress(text: string): void
  /** An error and what to do about it. */
  error(what: string, next?: string): void
  paint: Paint
}
export type Paint = {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  yellow(text: string): string
  green(text: string): string
}

const MARKS: Record<Mark, { sign: string; word: string; paint: keyof Paint }> = {
  good: { sign: '✓', word: 'ok', paint: 'green' },
  warning: { sign: '!', word: 'warning', paint: 'yellow' },
  bad: { sign: '✗', word: 'problem', paint: 'red' },
}

/** @param noColor what NO_COLOR, TERM and CI ask for; the streams themselves decide too */
export function createOutput({ stdout, stderr, noColor }: { stdout: Stream; stderr: Stream; noColor: boolean }): Output {
  const paint: Paint = picocolors.createColors(!noColor && stdout.isTTY === true)
  const paintMessage: Paint = picocolors.createColors(!noColor && stderr.isTTY === true)
  const showsProgress = stderr.isTTY === true && (stderr.columns ?? 0) > 0 && !noColor
  let progressShown = false

  function clearProgress(): void {
    if (progressShown) stderr.write('\r\x1b[2K')
    progressShown = false
  }

  return {
    exitCode: 0,
    paint,
    table(items, columns) {
      clearProgress()
      const titles = columns.map(({ title }) => title)
      const rows = items.map((item) => columns.map((column) => toPrintable(toText(column.of(item)))))
      if (stdout.isTTY !== true) {
        for (const row of [titles, ...rows]) stdout.write(`${row.join('\t')}\n`)
        return
      }
      const { text, hidden } = drawTable(titles, rows, { width: stdout.columns, head: paint.bold })
      stdout.write(`${text}\n`)
      if (hidden.length > 0) stderr.write(`${paintMessage.dim(`Not shown for want of room: ${hidden.join(', ')}. --json shows all.`)}\n`)
    },
    json(value) {
      clearProgress()
      stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    line(text) {
      clearProgress()
      stdout.write(`${text}\n`)
    },
    note(text) {
      clearProgress()
      stderr.write(`${text}\n`)
    },
    mark(mark, text, remedy) {
      clearProgress()
      const { sign, word, paint: colour } = MARKS[mark]
      stdout.write(`${paint[colour](`${sign} ${word.padEnd(7)}`)}  ${toPrintable(text)}\n`)
      if (remedy !== undefined) stdout.write(`           next: ${toPrintable(remedy)}\n`)
    },
    progress(text) {
      if (!showsProgress) return
      clearProgress()
      if (text === '') return
      stderr.write(toPrintable(text).slice(0, Math.max(0, (stderr.columns ?? 0) - 1)))
      progressShown = true
    },
    error(what, next) {
      clearProgress()
      stderr.write(`${paintMessage.red('error:')} ${toPrintable(what)}\n`)
      if (next !== undefined) stderr.write(`${paintMessage.bold('next:')} ${toPrintable(next)}\n`)
    },
  }
}

function toText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString()
  return String(cell)
}
