/** Puts the focus on the row of the grid that Tab reaches: the first, or the one the reader last stood on. */
export function focusFirstRow(options?: { preventScroll: boolean }): void {
  document.querySelector<HTMLElement>('[role=grid] tbody tr[tabindex="0"]')?.focus(options)
}
