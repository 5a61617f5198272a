/**
 * Characters that take no room on screen: soft hyphen, zero-width blanks and joiners, direction marks, byte order mark.
 *
 * Source: Unicode, Default_Ignorable_Code_Point, the format characters among them that occur in pasted text.
 */
const INVISIBLE = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const OUTSIDE_ASCII = /\P{ASCII}/u

/** The text without its zero-width characters and without blanks at both ends. */
export function stripInvisible(text: string): string {
  if (!OUTSIDE_ASCII.test(text)) return text.trim()
  return text.replace(INVISIBLE, '').trim()
}

/** True when a blank of any script, or a C0 or C1 control character, stands anywhere in the text. */
export function hasBlankOrControl(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text)
}

/** True when every character is ASCII. */
export function isAscii(text: string): boolean {
  return !OUTSIDE_ASCII.test(text)
}

/** The text without any of the characters at its end. Why not an expression: `/x+$/` looks at every run of x again for each of its characters. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without any of the characters at both ends. */
export function trimOf(text: string, characters: string): string {
  const ended = trimEndOf(text, characters)
  let start = 0
  while (start < ended.length && characters.includes(ended.charAt(start))) start++
  return ended.slice(start)
}
