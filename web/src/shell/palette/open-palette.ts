/** Opens the command palette. */
export function openPalette(): void {}
