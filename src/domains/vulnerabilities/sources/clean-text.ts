/** Text of a stranger as the database can hold it: without NUL and without halves of characters. */
export function cleanText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed()
}
