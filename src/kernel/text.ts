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
