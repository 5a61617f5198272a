let isOpen = false
const listeners = new Set<() => void>()

/** Opens the command palette; works before its code has arrived. */
export function openPalette(): void {
  setPaletteOpen(true)
}

export function closePalette(): void {
  setPaletteOpen(false)
}

export function isPaletteOpen(): boolean {
  return isOpen
}

/** Calls `listener` at each opening and closing. @returns the function that stops it */
export function onPaletteChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setPaletteOpen(open: boolean): void {
  isOpen = open
  for (const tell of listeners) tell()
}
