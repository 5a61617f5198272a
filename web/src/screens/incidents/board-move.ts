export type CardPlace = { column: number; row: number }

const STEPS: Readonly<Record<string, { column: -1 | 0 | 1; row: -1 | 0 | 1; letter?: true }>> = {
  ArrowUp: { column: 0, row: -1 },
  ArrowDown: { column: 0, row: 1 },
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  k: { column: 0, row: -1, letter: true },
  j: { column: 0, row: 1, letter: true },
}

/** Where a key leads on a board; sideways to the next column that has a card. @param counts cards by column @returns undefined where there is nothing */
export function nextCard(key: string, at: CardPlace, counts: readonly number[], letters: boolean): CardPlace | undefined {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
  if (step === undefined || (step.letter === true && !letters)) return undefined
  if (step.column === 0) {
    const row = at.row + step.row
    return row >= 0 && row < (counts[at.column] ?? 0) ? { column: at.column, row } : undefined
  }
  for (let column = at.column + step.column; column >= 0 && column < counts.length; column += step.column) {
    const count = counts[column] ?? 0
    if (count > 0) return { column, row: Math.min(at.row, count - 1) }
  }
  return undefined
}
