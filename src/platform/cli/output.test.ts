import { describe, expect, test } from 'vitest'
import { type Column, createOutput, type Stream } from './output.ts'
import { toPrintable } from './printable.ts'
import { drawTable, fitWidths } from './table.ts'

const ESC = '\u001b'
type Row = { name: string; seen: Date | null; count: number }
const COLUMNS: Column<Row>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'seen', of: ({ seen }) => seen },
  { title: 'count', of: ({ count }) => count },
]
const ROWS: Row[] = [
  { name: 'a list', seen: new Date('2026-01-02T03:04:05.006Z'), count: 3 },
  { name: 'another', seen: null, count: 0 },
]

function openOutput(terminal: { isTTY: boolean; columns?: number }, noColor = false) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written): Stream => ({
    ...terminal,
    write: (text) => {
      written[name] += text
    },
  })
  return { written, out: createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), noColor }) }
}

describe('a table', () => {
  test('is tab-separated when piped, with the titles first, dates in RFC 3339 and nothing for null', () => {
    const { written, out } = openOutput({ isTTY: false })
    out.table(ROWS, COLUMNS)
    expect(written.stdout).toBe('name\tseen\tcount\na list\t2026-01-02T03:04:05.006Z\t3\nanother\t\t0\n')
  })

  test('has the same columns on a terminal', () => {
    const { written, out } = openOutput({ isTTY: true, columns: 80 }, true)
    out.table(ROWS, COLUMNS)
    const [head, first] = written.stdout.split('\n')
    expect(head?.split(/ +/)).toEqual(['name', 'seen', 'count'])
    expect(first).toMatch(/^a list +2026-01-02T03:04:05\.006Z +3$/)
  })

  test('is cut to the width of the terminal', () => {
    const lines = drawTable(['name', 'text'], [['a', 'x'.repeat(200)]], { width: 40 }).text.split('\n')
    expect(lines.map((line) => line.length <= 40)).not.toContain(false)
    expect(lines[1]).toContain('…')
  })

  test('leaves out the last columns where there is no room, and names them', () => {
    const { text, hidden } = drawTable(['name', 'status', 'id'], [['a list with a name', 'HEALTHY', 'i'.repeat(36)]], { width: 40 })
    expect(hidden).toEqual(['id'])
    expect(text).toContain('a list with a name  HEALTHY')
  })

  test('keeps what is written in full when it fits', () => {
    expect(drawTable(['name'], [['exactly this']], { width: 80 }).text).toContain('exactly this')
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'what fits stays as it is',                    natural: [10, 20],  width: 40, want: [10, 20] },
  { title: 'the widest column gives',                     natural: [10, 90],  width: 40, want: [10, 30] },
  { title: 'two wide columns give together',              natural: [50, 50],  width: 60, want: [30, 30] },
  { title: 'no column gets narrower than eight',          natural: [90, 90],  width: 5,  want: [8, 8] },
  { title: 'without a width every column is as it wants', natural: [90, 90],  width: 0,  want: [90, 90] },
])('$title', ({ natural, width, want }) => {
  const widths = fitWidths(natural, width)
  expect(widths.reduce((sum, next) => sum + next)).toBe(want.reduce((sum, next) => sum + next))
  expect(Math.max(...widths.map((each, at) => Math.abs(each - (want[at] ?? 0))))).toBeLessThanOrEqual(1)
})

describe('colour', () => {
  function writeEverything({ out }: ReturnType<typeof openOutput>): void {
    out.table(ROWS, COLUMNS)
    out.mark('good', 'fine')
    out.mark('bad', 'not fine', 'mend it')
    out.progress('working')
    out.progress('')
    out.error('it broke', 'mend it')
  }

  test('is used on a terminal', () => {
    const opened = openOutput({ isTTY: true, columns: 80 })
    writeEverything(opened)
    expect(opened.written.stdout).toContain(ESC)
  })

  test.each([
    { title: 'is absent when piped', terminal: { isTTY: false }, noColor: false },
    { title: 'is absent when NO_COLOR asks for that', terminal: { isTTY: true, columns: 80 }, noColor: true },
  ])('$title', ({ terminal, noColor }) => {
    const opened = openOutput(terminal, noColor)
    writeEverything(opened)
    expect(opened.written.stdout + opened.written.stderr).not.toContain(ESC)
  })

  test('an error says what and what next, on the error output alone', () => {
    const { written, out } = openOutput({ isTTY: false })
    out.error('it broke', 'mend it')
    expect(written).toEqual({ stdout: '', stderr: 'error: it broke\nnext: mend it\n' })
  })

  test('a terminal without a width gets no progress line', () => {
    const { written, out } = openOutput({ isTTY: true, columns: 0 })
    out.progress('working')
    expect(written.stderr).toBe('')
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'an escape sequence is shown, not obeyed',  text: `${ESC}[2Jgone`,   want: '\\x1b[2Jgone' },
  { title: 'a line feed does not begin a line',        text: 'one\ntwo',        want: 'one\\x0atwo' },
  { title: 'a direction mark does not turn the text',  text: 'a\u202eb',        want: 'a\\u202eb' },
  { title: 'other scripts stay as they are',           text: 'münchen 中文',     want: 'münchen 中文' },
])('$title', ({ text, want }) => expect(toPrintable(text)).toBe(want))
