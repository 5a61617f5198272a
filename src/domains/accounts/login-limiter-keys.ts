import { createHash } from 'node:crypto'
import { trimEndOf } from '#kernel/text.ts'

/** Blanks, control characters, and whatever Unicode says takes no room. Source: Unicode, White_Space, Cc, Cf, Default_Ignorable_Code_Point. */
const UNSEEN = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** The form in which every spelling of a user name is counted as one account: look-alike spellings must not buy new guesses. */
export function canonicalName(name: string): string {
  const seen = name.normalize('NFKC').toLowerCase().replace(UNSEEN, '')
  // Once more: characters that stood apart may have become neighbours that combine.
  return trimEndOf(seen.normalize('NFKC'), '.')
}

/** The account's key in the counts, known and unknown names alike; hashed, so that the store holds no names. */
export function accountKey(name: string): string {
  return createHash('sha256').update(canonicalName(name)).digest('base64url')
}
