import { isLocalName, isRegistrySuffix, type NameFault, normalizeName } from '#kernel/domain-name.ts'
import { endsInNumber, tryParseIpv4 } from '#kernel/ip.ts'
import type { Normalized } from '../indicators.model.ts'
import { refang } from './refang.ts'
import { accepted, refused } from './verdict.ts'

/**
 * Endings of files that are no top-level domain: `invoice.exe` is a file name wherever it stands.
 *
 * Assumption: the endings seen in malware reports; none is delegated in the root zone (a test checks that), so `zip`, `sh`, `py`, `mov` are absent.
 */
export const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'exe dll scr bat cmd vbs vbe js jse wsf hta lnk msi jar doc docx docm xls xlsx xlsm ppt pptx pdf rtf txt csv xml json html htm php asp aspx jsp rar gz tar iso img dat tmp png jpg jpeg gif bmp apk elf'.split(
    ' ',
  ),
)

const FAULT_REASONS: Record<NameFault, string> = {
  too_long: 'The domain name is longer than 253 characters.',
  invalid:
    'The value is not a domain name: give labels of 1 to 63 letters, digits, hyphens or underscores, joined by dots, with a top-level domain at the end.',
  single_label: 'A single word is not a full domain name: add the top-level domain.',
  local: 'Names under .local and .localhost mean another machine in each network and cannot be an indicator.',
  numeric: 'A domain name cannot end in a number: programs may read it as an address.',
}

/** What is wrong with a name, as a sentence. */
export function nameFaultReason(fault: NameFault): string {
  return FAULT_REASONS[fault]
}

/**
 * The verdict on a name that already has its normal spelling (`isPlainName`).
 *
 * Only suffixes run by registries are refused: a shared-hosting or dynamic DNS suffix such as `github.io` is somebody's own name, and lists do name them.
 */
export function judgePlainName(name: string): Normalized {
  if (isLocalName(name)) return refused('domain_local', FAULT_REASONS.local)
  if (FILE_ENDINGS.has(name.slice(name.lastIndexOf('.') + 1)))
    return refused('domain_invalid', 'The value ends like a file name, not in a top-level domain.')
  if (isRegistrySuffix(name))
    return refused('domain_public_suffix', 'The value is a public suffix under which anyone can register names: give the registered name.')
  return accepted('DOMAIN', name)
}

/** A name: lower case, A-labels, without trailing dot, leading dot and `*.`. */
export function normalizeDomain(text: string): Normalized {
  const name = withoutWildcard(refang(text).trim())
  if (/[/:@?#]/.test(name)) return refused('type_mismatch', notBareNameReason(name))
  const verdict = normalizeName(name)
  if (verdict.ok) return judgePlainName(verdict.name)
  switch (verdict.fault) {
    case 'too_long':
      return refused('too_long', FAULT_REASONS.too_long)
    case 'single_label':
      return refused('domain_single_label', FAULT_REASONS.single_label)
    case 'local':
      return refused('domain_local', FAULT_REASONS.local)
    case 'numeric':
      return refused('domain_invalid', FAULT_REASONS.numeric)
    case 'invalid':
      return refused('domain_invalid', FAULT_REASONS.invalid)
  }
}

function notBareNameReason(name: string): string {
  if (/^[^/:@?#]+:[0-9]+$/.test(name)) return 'A domain name has no port: remove the port.'
  return 'The value is more than a domain name: give the name alone, or declare it as a URL or an e-mail address.'
}

function withoutWildcard(text: string): string {
  let start = 0
  while (text.startsWith('*.', start)) start += 2
  if (text.startsWith('.', start)) start += 1
  return text.slice(start)
}

/** True when some programs would read the name as an address and others not: `127.1`, `0x7f.0.0.1`, `010.1.1.1`, `300.1.1.1`. */
export function isAmbiguousAddress(text: string): boolean {
  return (
    text.includes('.') &&
    endsInNumber(text) &&
    tryParseIpv4(text) === undefined &&
    /^[0-9a-fx.]+$/i.test(text) &&
    /^(?:(?:0x[0-9a-f]*|[0-9]+)(?:\.|$)){1,4}$/i.test(text)
  )
}
