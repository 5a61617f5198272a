import { familyOf, type OsFamily } from './platform.ts'

const SYSTEM = String.raw`(?:microsoft |apple )?(windows|linux|macos|mac os x|os x|android|ios|freebsd|solaris|aix)\b`
/** "on Windows", "for Windows and macOS". Names in their own spelling, so that Cisco IOS is not Apple's iOS. */
const NAMED = new RegExp(String.raw`\b(?:on|for) (?:the )?${SYSTEM}(?:(?:, and|, or|,| and| or|/)\s*${SYSTEM})*`, 'gi')
const EACH = new RegExp(SYSTEM, 'gi')
/** Characters of a description that are read. Source: the longest published one has about 4,000. */
const MAX_DESCRIPTION_CHARS = 8000

/**
 * The one operating system that a description says the product is vulnerable on ("on Windows", "for macOS"); undefined when it names none
 * or several. Records without a platform in their configurations say it here only.
 */
export function systemInDescription(description: string): OsFamily | undefined {
  const families = new Set<OsFamily>()
  for (const [phrase] of description.slice(0, MAX_DESCRIPTION_CHARS).matchAll(NAMED))
    for (const [name] of phrase.matchAll(EACH)) {
      if (name.toLowerCase() === 'ios' && !name.includes('iOS')) continue
      const family = familyOf(name.replace(/^(?:microsoft|apple) /i, ''))
      if (family !== undefined) families.add(family)
    }
  const [only] = families
  return families.size === 1 ? only : undefined
}
