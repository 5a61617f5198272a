/** The lines in a box. A blank stands on both sides of each, so that a double click marks a word without the border. */
export function frame(lines: readonly string[]): string[] {
  const width = Math.max(...lines.map((line) => [...line].length))
  const border = '─'.repeat(width + 2)
  return [`┌${border}┐`, ...lines.map((line) => `│ ${line}${' '.repeat(width - [...line].length)} │`), `└${border}┘`]
}
