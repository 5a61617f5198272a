import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'
import { isAscii } from './text.ts'

/** Characters of a full name, without the trailing dot. Source: RFC 1035, 2.3.4 (255 octets on the wire). */
export const DOMAIN_MAX_CHARACTERS = 253
/** Characters of one label. Source: RFC 1035, 2.3.4. */
const LABEL_MAX_CHARACTERS = 63
/** Assumption: no Unicode name whose A-label form fits into 253 characters is longer; it bounds the work on hostile input. */
const UNICODE_NAME_MAX_CHARACTERS = 1024
/** Labels of the longest rule in the public suffix list, with room to spare. A name with more is no suffix. */
const SUFFIX_MAX_LABELS = 6

/** Why a text is not a full domain name. `numeric`: it ends in a number, so that programs may read it as an address. */
export type NameFault = 'too_long' | 'invalid' | 'single_label' | 'local' | 'numeric'

/** A name in its one form, or what is wrong with it. */
export type NameVerdict = { ok: true; name: string } | { ok: false; fault: NameFault }

const LETTER = 1
const DIGIT = 2
const MARK = 4
const CHARACTER_CLASS = new Uint8Array(128)
for (let code = 97; code <= 122; code += 1) CHARACTER_CLASS[code] = LETTER
for (let code = 48; code <= 57; code += 1) CHARACTER_CLASS[code] = DIGIT
CHARACTER_CLASS[45] = MARK
CHARACTER_CLASS[95] = MARK
const DOT = 46

/**
 * True for a lower-case ASCII name of two labels or more that ends in a plausible top level (letters, an A-label, or `i2p`, the one name space outside the root with a digit).
 *
 * Underscores and hyphens at any place are kept: the DNS carries them, and lists name them. One pass over the characters, no allocation.
 */
export function isPlainName(text: string): boolean {
  const length = text.length
  if (length > DOMAIN_MAX_CHARACTERS) return false
  let labelStart = 0
  let classes = 0
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      const labelLength = i - labelStart
      if (labelLength === 0 || labelLength > LABEL_MAX_CHARACTERS) return false
      labelStart = i + 1
      classes = 0
    } else {
      const characterClass = code < 128 ? (CHARACTER_CLASS[code] ?? 0) : 0
      if (characterClass === 0) return false
      classes |= characterClass
    }
  }
  const lastLength = length - labelStart
  if (labelStart === 0 || lastLength < 2 || lastLength > LABEL_MAX_CHARACTERS) return false
  return classes === LETTER || (lastLength > 4 && text.startsWith('xn--', labelStart)) || text.endsWith('.i2p')
}

/**
 * A name in its one form: lower case, A-labels (UTS-46), one trailing dot removed. Idempotent.
 *
 * Labels that already are A-labels stay as they are written, so that a malformed one keeps its identity.
 */
export function normalizeName(text: string): NameVerdict {
  if (isPlainName(text)) return localOrName(text)
  if (text.length > UNICODE_NAME_MAX_CHARACTERS) return { ok: false, fault: 'too_long' }
  const ascii = toAsciiName(text)
  if (isPlainName(ascii)) return localOrName(ascii)
  return { ok: false, fault: nameFault(ascii) }
}

function localOrName(name: string): NameVerdict {
  return isLocalName(name) ? { ok: false, fault: 'local' } : { ok: true, name }
}

/** True for `localhost` and names under `.localhost` (RFC 6761) and `.local` (RFC 6762): they mean another machine to everyone. */
export function isLocalName(name: string): boolean {
  const top = name.slice(name.lastIndexOf('.') + 1)
  return top === 'local' || top === 'localhost'
}

/** Empty when the name has no A-label form. */
function toAsciiName(text: string): string {
  if (isAscii(text)) return withoutTrailingDot(text).toLowerCase()
  // The full stops that UTS-46 reads as dots.
  const dotted = withoutTrailingDot(text.replace(/[\u3002\uff0e\uff61]/g, '.'))
  // The converter reads its input like a URL host: it drops tabs and stops at `/`, `?`, `#` and `@`, so none may reach it.
  if (/(?![A-Za-z0-9_.-])\p{ASCII}/u.test(dotted)) return ''
  return domainToASCII(dotted)
}

function withoutTrailingDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text
}

function nameFault(ascii: string): NameFault {
  if (!/^[a-z0-9_.-]+$/.test(ascii)) return 'invalid'
  if (ascii.length > DOMAIN_MAX_CHARACTERS) return 'too_long'
  if (isLocalName(ascii)) return 'local'
  const last = ascii.slice(ascii.lastIndexOf('.') + 1)
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return 'numeric'
  return ascii.includes('.') ? 'invalid' : 'single_label'
}

/** Only the parts of the reader that are needed: the name is canonical already, and each part costs time on a million rows. */
const SUFFIX_OPTIONS = { extractHostname: false, validateHostname: false, mixedInputs: false, detectIp: false, allowIcannDomains: true }
const ICANN_OPTIONS = { ...SUFFIX_OPTIONS, allowPrivateDomains: false }
const ICANN_AND_PRIVATE_OPTIONS = { ...SUFFIX_OPTIONS, allowPrivateDomains: true }

/** True when a canonical name is itself a public suffix run by a registry (`co.uk`), not one of the hosting suffixes (`github.io`). Source: publicsuffix.org, ICANN section. */
export function isRegistrySuffix(name: string): boolean {
  let labels = 1
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) labels += 1
  return labels <= SUFFIX_MAX_LABELS && getPublicSuffix(name, ICANN_OPTIONS) === name
}

/**
 * The public suffix of a canonical name, shared-hosting suffixes (`github.io`) included; the last label when no rule names one.
 *
 * Source: publicsuffix.org, ICANN and private sections.
 */
export function sharedSuffix(name: string): string {
  return getPublicSuffix(name, ICANN_AND_PRIVATE_OPTIONS) ?? name.slice(name.lastIndexOf('.') + 1)
}

/** The names above a canonical name, nearest first, down to the registrable one: never a public suffix, never a shared-hosting suffix. */
export function parentNames(name: string): string[] {
  const suffixLength = sharedSuffix(name).length
  const parents: string[] = []
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    if (name.length - dot - 1 <= suffixLength) break
    parents.push(name.slice(dot + 1))
  }
  return parents
}
