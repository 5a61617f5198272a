import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import { normalizeName } from '#kernel/domain-name.ts'
import { formatNetwork, tryParseNetwork } from '#kernel/ip.ts'
import { compileLinearPattern } from '#kernel/linear-pattern.ts'
import { PatternError } from '#kernel/pattern-syntax.ts'
import {
  ENTRY_MAX_BYTES,
  type Entry,
  type SkipCode,
  SUBSTRING_MAX_CHARACTERS,
  SUBSTRING_MIN_CHARACTERS,
  type WarningListType,
} from './warning-lists.model.ts'

export type EntryVerdict = ({ ok: true } & Entry) | { ok: false; code: SkipCode; reason: string }

/** A PCRE as PHP writes it: a delimiter, the pattern, the delimiter, flags. */
const DELIMITED = /^([/#~!@%])(.*)\1([a-zA-Z]*)$/s
/** Flags that change nothing here: case is ignored always, and values are one line. */
const HARMLESS_FLAGS = /^[iuDS]*$/

/** The normal form of one entry of a list of the given type, or why it is not held. */
export function toEntry(type: WarningListType, raw: unknown): EntryVerdict {
  if (typeof raw !== 'string' || raw.trim() === '' || !raw.isWellFormed() || raw.includes('\u0000'))
    return skip('not_text', 'An entry has to be a text.')
  const verdict = JUDGES[type](raw.trim())
  if (verdict.ok && Buffer.byteLength(verdict.entry) > ENTRY_MAX_BYTES)
    return skip('too_long', `An entry may have ${ENTRY_MAX_BYTES} bytes.`)
  return verdict
}

const JUDGES: Record<WarningListType, (text: string) => EntryVerdict> = {
  CIDR: judgeNetwork,
  HOSTNAME: judgeHost,
  STRING: judgeValue,
  SUBSTRING: judgeSubstring,
  REGEX: judgePattern,
}

/** A range, or an address as the range of one. Host bits are cleared. */
function judgeNetwork(text: string): EntryVerdict {
  const network = tryParseNetwork(text) ?? tryParseNetwork(`${text}/${text.includes(':') ? 128 : 32}`)
  if (network === undefined) return skip('not_a_network', 'It is neither an address nor a range of addresses.')
  if (network.prefix === 0) return skip('covers_everything', 'A range of all addresses says nothing.')
  return { ok: true, kind: 'NETWORK', entry: formatNetwork(network) }
}

/** A host stands for itself and everything below it; with a leading dot only for what is below it. */
function judgeHost(text: string): EntryVerdict {
  const isBelow = text.startsWith('.') || text.startsWith('*.')
  const verdict = normalizeName(isBelow ? text.slice(text.indexOf('.') + 1) : text)
  if (!verdict.ok)
    return verdict.fault === 'single_label'
      ? skip('covers_everything', 'A name of one label would cover a whole top-level domain.')
      : skip('not_a_host', 'It is not the name of a host.')
  return { ok: true, kind: isBelow ? 'BELOW' : 'HOST', entry: verdict.name }
}

/** Only a value in its normal form can ever be equal to an indicator. */
function judgeValue(text: string): EntryVerdict {
  const verdict = normalizeIndicator(text)
  if (!verdict.ok) return skip('not_an_indicator', `No IOC can have this value: ${verdict.reason}`)
  return { ok: true, kind: 'EXACT', entry: verdict.value }
}

function judgeSubstring(text: string): EntryVerdict {
  const entry = text.toLowerCase()
  if (entry.length < SUBSTRING_MIN_CHARACTERS)
    return skip(
      'too_short',
      `A part of a value has to have ${SUBSTRING_MIN_CHARACTERS} characters at least: anything shorter is found everywhere.`,
    )
  if (entry.length > SUBSTRING_MAX_CHARACTERS) return skip('too_long', `A part of a value may have ${SUBSTRING_MAX_CHARACTERS} characters.`)
  return { ok: true, kind: 'SUBSTRING', entry }
}

/** Only patterns that run in linear time: the list comes from outside, and so does the text. */
function judgePattern(text: string): EntryVerdict {
  const [, , inner, flags = ''] = DELIMITED.exec(text) ?? []
  if (!HARMLESS_FLAGS.test(flags)) return skip('pattern_not_linear', `Patterns with the flags "${flags}" are not supported.`)
  const entry = inner ?? text
  try {
    compileLinearPattern(entry)
    return { ok: true, kind: 'PATTERN', entry }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return skip('pattern_not_linear', `The pattern cannot be matched in linear time: ${error.message}.`)
  }
}

function skip(code: SkipCode, reason: string): EntryVerdict {
  return { ok: false, code, reason }
}
