/** Whether the surroundings ask for plain text: NO_COLOR when not empty (no-color.org), a dumb terminal, or a CI run. */
export function wantsNoColor(env: Record<string, string | undefined> = process.env): boolean {
  return Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || Boolean(env['CI'])
}
