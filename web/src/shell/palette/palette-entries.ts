import type { ComponentType } from 'react'

/** One line of the palette. */
export type PaletteEntry = {
  id: string
  group: string
  label: string
  /** A value inside the label, shown in mono behind it. */
  value?: string
  hint?: string
  /** Keys that do the same. */
  keys?: string
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** Why it cannot be chosen now. */
  reason?: string
  onChoose: () => void
}

/** The entries that hold every word, in any case. */
export function matching(entries: readonly PaletteEntry[], words: string): PaletteEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ label, hint = '' }) => {
    const text = `${label} ${hint}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
