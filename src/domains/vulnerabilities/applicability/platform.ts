import { wordsOf } from './product-match.ts'

/** Kinds of operating systems that do not run each other's programs. `unix` is any of them but Windows. */
export type OsFamily = 'windows' | 'linux' | 'macos' | 'android' | 'ios' | 'bsd' | 'solaris' | 'aix' | 'hpux' | 'unix'

/** What somebody says an asset runs on, taken apart. A fact that was not declared is undefined. */
export type Platform = {
  words: readonly string[]
  /** The text as given, for explanations. */
  text: string
  family: OsFamily | undefined
  /** The Linux distribution, or the one system of its family. */
  system: string | undefined
  /** The number behind the system's name. */
  release: string | undefined
}

/** An operating system under a name of one or two words. */
type SystemName = { words: readonly string[]; family: OsFamily; system: string }

/**
 * Names of operating systems, in platforms as in CPE products. Of two that fit, the longer one counts: "Oracle Linux" before "Linux".
 * A system named as its family is the family in general.
 */
// biome-ignore format: one system per line
const SYSTEMS: readonly SystemName[] = ([
  ['windows', 'windows', 'windows'],
  ['linux', 'linux', 'linux'], ['linux kernel', 'linux', 'linux'], ['gnu linux', 'linux', 'linux'],
  ['debian', 'linux', 'debian'], ['debian linux', 'linux', 'debian'], ['debian gnu linux', 'linux', 'debian'],
  ['ubuntu', 'linux', 'ubuntu'], ['ubuntu linux', 'linux', 'ubuntu'], ['ubuntu server', 'linux', 'ubuntu'],
  ['rhel', 'linux', 'rhel'], ['enterprise linux', 'linux', 'rhel'], ['red hat', 'linux', 'rhel'], ['redhat', 'linux', 'rhel'],
  ['red hat enterprise linux', 'linux', 'rhel'], ['redhat enterprise linux', 'linux', 'rhel'],
  ['enterprise linux server', 'linux', 'rhel'], ['enterprise linux workstation', 'linux', 'rhel'], ['enterprise linux desktop', 'linux', 'rhel'],
  ['enterprise linux eus', 'linux', 'rhel'], ['enterprise linux server aus', 'linux', 'rhel'], ['enterprise linux server eus', 'linux', 'rhel'],
  ['centos', 'linux', 'centos'], ['rocky', 'linux', 'rocky'], ['rocky linux', 'linux', 'rocky'],
  ['almalinux', 'linux', 'almalinux'], ['alma linux', 'linux', 'almalinux'], ['alma', 'linux', 'almalinux'],
  ['oracle linux', 'linux', 'oracle'], ['fedora', 'linux', 'fedora'], ['fedora linux', 'linux', 'fedora'],
  ['sles', 'linux', 'sles'], ['linux enterprise server', 'linux', 'sles'], ['suse linux enterprise server', 'linux', 'sles'],
  ['suse', 'linux', 'sles'], ['sled', 'linux', 'sled'], ['linux enterprise desktop', 'linux', 'sled'],
  ['opensuse', 'linux', 'opensuse'], ['leap', 'linux', 'opensuse'], ['opensuse leap', 'linux', 'opensuse'],
  ['alpine', 'linux', 'alpine'], ['alpine linux', 'linux', 'alpine'], ['arch', 'linux', 'arch'], ['arch linux', 'linux', 'arch'],
  ['gentoo', 'linux', 'gentoo'], ['gentoo linux', 'linux', 'gentoo'], ['slackware', 'linux', 'slackware'],
  ['mandriva', 'linux', 'mandriva'], ['mandriva linux', 'linux', 'mandriva'], ['mageia', 'linux', 'mageia'], ['kali', 'linux', 'kali'], ['kali linux', 'linux', 'kali'],
  ['amazon linux', 'linux', 'amazon'], ['linux mint', 'linux', 'mint'], ['photon', 'linux', 'photon'], ['photon os', 'linux', 'photon'],
  ['android', 'android', 'android'],
  ['macos', 'macos', 'macos'], ['mac os', 'macos', 'macos'], ['mac os x', 'macos', 'macos'], ['os x', 'macos', 'macos'], ['osx', 'macos', 'macos'],
  ['macos x', 'macos', 'macos'], ['mac', 'macos', 'macos'],
  ['iphone os', 'ios', 'ios'], ['ios', 'ios', 'ios'], ['ipados', 'ios', 'ios'], ['iphone', 'ios', 'ios'],
  ['freebsd', 'bsd', 'freebsd'], ['openbsd', 'bsd', 'openbsd'], ['netbsd', 'bsd', 'netbsd'], ['bsd', 'bsd', 'bsd'],
  ['solaris', 'solaris', 'solaris'], ['sunos', 'solaris', 'solaris'], ['aix', 'aix', 'aix'], ['hp ux', 'hpux', 'hpux'],
  ['unix', 'unix', 'unix'],
] satisfies [string, OsFamily, string][]).map(([name, family, system]) => ({ words: name.split(' '), family, system }))

/** Makers whose IOS is not Apple's. */
const OTHER_IOS = new Set(['cisco', 'xe', 'xr'])

/** What is known of a declared platform; undefined when nothing was declared. */
export function parsePlatform(text: string | undefined): Platform | undefined {
  const given = text?.trim() ?? ''
  const words = wordsOf(given)
  if (words.length === 0) return undefined
  const found = findSystem(words)
  return {
    words,
    text: given,
    family: found?.name.family,
    system: found?.name.system,
    release: found === undefined ? undefined : releaseBehind(words, found.end),
  }
}

/** The operating system that the words name: the longest name, at its first place. `end` is the place behind it. */
export function findSystem(words: readonly string[]): { name: SystemName; end: number } | undefined {
  let best: { name: SystemName; end: number } | undefined
  for (let at = 0; at < words.length; at++)
    for (const name of SYSTEMS) {
      if (!name.words.every((word, offset) => words[at + offset] === word)) continue
      if (name.system === 'ios' && words.some((word) => OTHER_IOS.has(word))) continue
      // "Debian 10 (Linux)": a distribution says more than its family.
      const better = best === undefined || rankOf(name) > rankOf(best.name)
      if (better) best = { name, end: at + name.words.length }
    }
  return best
}

/** The family that one word or name stands for, as in a CPE's target_sw: `windows_10`, `linux_kernel`, `mac_os_x`. */
export function familyOf(name: string): OsFamily | undefined {
  return findSystem(wordsOf(name))?.name.family
}

/** Whether a program for the one family runs on the other. */
export function isSameFamily(wanted: OsFamily, actual: OsFamily): boolean {
  if (wanted === actual) return true
  if (wanted === 'unix') return actual !== 'windows'
  return actual === 'unix' && wanted !== 'windows'
}

function rankOf({ words, family, system }: SystemName): number {
  return (system === family ? 0 : 100) + words.length
}

/** The first number behind the name, with a word such as "version" or "SP" between. */
function releaseBehind(words: readonly string[], from: number): string | undefined {
  const [first, second, third] = words.slice(from)
  const at = first !== undefined && /^(?:version|release|server|linux|os|v)$/.test(first) ? [second, third] : [first, second]
  if (at[0] === undefined || !/^\d/.test(at[0])) return undefined
  return at[1] !== undefined && /^sp\d/.test(at[1]) ? `${at[0]} ${at[1]}` : at[0]
}
