import { normalizeName } from '#kernel/domain-name.ts'
import type { Normalized } from '../indicators.model.ts'
import { nameFaultReason } from './normalize-domain.ts'
import { refang } from './refang.ts'
import { accepted, refused } from './verdict.ts'

/** Characters of an address: 64 before the at sign, 255 behind it. Source: RFC 5321, 4.5.3.1. */
export const EMAIL_MAX_CHARACTERS = 320
const LOCAL_PART_MAX_CHARACTERS = 64

/** Dot-atom of RFC 5322, 3.2.3, without braces: `{.}` would be read as defanged the second time. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`|~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`|~-]+)*$/
const MAILTO = /^mailto\s{0,2}(?::|\[:\])\s{0,2}/i

/** An e-mail address in lower case, without `mailto:`, angle brackets and display name. */
export function normalizeEmail(text: string): Normalized {
  const address = refang(bareAddress(text)).trim().toLowerCase()
  const at = address.lastIndexOf('@')
  if (at === -1) return refused('type_mismatch', 'An e-mail address has an at sign between its two parts.')
  if (address.length > EMAIL_MAX_CHARACTERS) return refused('too_long', 'The e-mail address is longer than 320 characters.')
  const local = address.slice(0, at)
  if (local.length > LOCAL_PART_MAX_CHARACTERS) return refused('email_invalid', 'The part before the at sign is longer than 64 characters.')
  if (!LOCAL_PART.test(local))
    return refused('email_invalid', 'The part before the at sign is empty or holds characters that an address cannot have there.')
  const verdict = normalizeName(address.slice(at + 1))
  if (!verdict.ok)
    return refused('email_invalid', `The part behind the at sign is no usable domain name. ${nameFaultReason(verdict.fault)}`)
  const value = `${local}@${verdict.name}`
  return value.length > EMAIL_MAX_CHARACTERS
    ? refused('too_long', 'The e-mail address is longer than 320 characters.')
    : accepted('EMAIL', value)
}

/** `Name <a@b>`, `<mailto:a@b>` and `mailto:a@b?subject=x` give `a@b`. */
function bareAddress(text: string): string {
  const inner = withoutDisplayName(text)
  const scheme = MAILTO.exec(inner)
  if (scheme === null) return inner
  const target = inner.slice(scheme[0].length)
  const query = target.indexOf('?')
  return withoutDisplayName(query === -1 ? target : target.slice(0, query))
}

function withoutDisplayName(text: string): string {
  if (!text.endsWith('>')) return text
  const open = text.lastIndexOf('<')
  return open === -1 ? text : text.slice(open + 1, -1).trim()
}

/** True when the text begins with `mailto:`. */
export function hasMailto(text: string): boolean {
  return MAILTO.test(text)
}
