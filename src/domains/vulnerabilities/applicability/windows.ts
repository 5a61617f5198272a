import { allOf, type Truth, toTruth } from './truth.ts'

/** Which Windows, as its name says it. What the name leaves open is undefined. */
export type WindowsName = {
  server: boolean
  /** `7`, `8.1`, `10`, `2012`, `xp`, `vista`. */
  edition: string | undefined
  r2: boolean
  rt: boolean
  /** Feature update: `1607`, `20h2`. */
  build: string | undefined
  /** `sp1`; `none` when the name says that there is no service pack. */
  servicePack: string | undefined
}

const SERVER_YEARS = new Set(['2000', '2003', '2008', '2012', '2016', '2019', '2022', '2025'])
const CLIENTS = new Set(['95', '98', 'me', 'nt', 'xp', 'vista', '7', '8', '8.1', '10', '11'])
/** Year and month or half of a feature update. Source: Microsoft, Windows release information. */
const BUILD = /^(?:1[5-9]|2\d)(?:0[1-9]|1[0-2]|h[12])$/

/** Reads the words of a Windows name, whether a person's or a CPE's. */
export function toWindowsName(words: readonly string[]): WindowsName {
  const packWord = words.findIndex((word, at) => (word === 'sp' || word === 'pack') && /^\d$/.test(words[at + 1] ?? ''))
  const named = packWord === -1 ? words : words.filter((_, at) => at !== packWord + 1)
  const edition = named.find((word) => SERVER_YEARS.has(word) || CLIENTS.has(word))
  return {
    server: named.includes('server') || (edition !== undefined && edition !== '2000' && SERVER_YEARS.has(edition)),
    edition,
    r2: named.includes('r2'),
    rt: named.includes('rt'),
    build: named.find((word) => BUILD.test(word) && word !== edition),
    servicePack: packWord === -1 ? named.find((word) => /^sp\d$/.test(word)) : `sp${words[packWord + 1]}`,
  }
}

/**
 * Whether the declared Windows is the wanted one; unknown where the declared name leaves open what the wanted one says.
 *
 * @param anyRelease the CPE states no release at all, which means R2 as well
 */
export function isSameWindows(wanted: WindowsName, declared: WindowsName, anyRelease: boolean): Truth {
  const isGeneric = wanted.edition === undefined && wanted.build === undefined && !wanted.server && !wanted.rt
  if (isGeneric) return 'T'
  if (declared.edition === undefined && declared.build === undefined) return declared.server && !wanted.server ? 'F' : 'U'
  if (wanted.server !== declared.server || wanted.rt !== declared.rt) return 'F'
  return allOf([
    isSameEdition(wanted, declared, anyRelease),
    isSameBuild(wanted, declared),
    isSameServicePack(wanted.servicePack, declared.servicePack),
  ])
}

function isSameEdition(wanted: WindowsName, declared: WindowsName, anyRelease: boolean): Truth {
  if (wanted.edition !== undefined && wanted.edition !== declared.edition) return 'F'
  return toTruth(wanted.r2 === declared.r2 || (anyRelease && declared.r2))
}

function isSameBuild(wanted: WindowsName, declared: WindowsName): Truth {
  if (wanted.build === undefined || wanted.build === declared.build) return 'T'
  return declared.build === undefined && declared.edition === wanted.edition ? 'U' : 'F'
}

function isSameServicePack(wanted: string | undefined, declared: string | undefined): Truth {
  if (wanted === undefined) return 'T'
  if (wanted === 'none') return toTruth(declared === undefined)
  if (declared === undefined) return 'U'
  return toTruth(wanted === declared)
}
