/** Text that every store can hold: no NUL, which PostgreSQL's texts lack, and no half of a surrogate pair, which its JSON refuses. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
