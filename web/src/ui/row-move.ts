/** How far Page Up and Page Down go, rows. Assumption: about half of what a laptop shows. */
const PAGE_ROWS = 10

/** The row that `key` leads to, or undefined when the key does not move. `j` and `k` move only with letter keys on. */
export function nextRowIndex(key: string, from: number, count: number, letterKeys: boolean): number | undefined {
  if (count === 0) return undefined
  const last = count - 1
  const targets = new Map([
    ['ArrowDown', from + 1],
    ['ArrowUp', from - 1],
    ['PageDown', from + PAGE_ROWS],
    ['PageUp', from - PAGE_ROWS],
    ['Home', 0],
    ['End', last],
  ])
  if (letterKeys) targets.set('j', from + 1).set('k', from - 1)
  const target = targets.get(key)
  return target === undefined ? undefined : Math.max(0, Math.min(last, target))
}
