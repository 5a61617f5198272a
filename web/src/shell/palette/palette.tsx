/** The command palette. */
export function Palette() {
  return null
}
