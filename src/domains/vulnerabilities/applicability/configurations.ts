import { isCpe, productNameOf, VENDOR_AT } from './cpe.ts'

/** One row of a configuration: a product, its versions, and whether it is the vulnerable one or what it runs on. Field names as NVD's. */
export type CpeMatch = {
  vulnerable: boolean
  criteria: string
  versionStartIncluding?: string
  versionStartExcluding?: string
  versionEndIncluding?: string
  versionEndExcluding?: string
}
export type Operator = 'AND' | 'OR'
export type ConfigurationNode = { operator: Operator; negate?: true; cpeMatch: CpeMatch[] }
/** Without an operator the nodes stand beside each other. */
export type Configuration = { operator: Operator; negate?: true; nodes: ConfigurationNode[] }

/** Rows of all configurations of one CVE. Source: the largest published record holds about 6,000; Assumption: beyond this it is an attack. */
const MAX_MATCHES = 50_000
const BOUNDS = ['versionStartIncluding', 'versionStartExcluding', 'versionEndIncluding', 'versionEndExcluding'] as const

/**
 * The configurations of a record, judged as hostile: what is not of the shape is left out, unknown fields are dropped.
 *
 * Source: NVD CVE API 2.0, `cve.configurations`. A missing operator is OR. Nodes nest no deeper there than shown.
 */
export function toConfigurations(raw: unknown): Configuration[] {
  let room = MAX_MATCHES
  const configurations: Configuration[] = []
  for (const configuration of objectsOf(raw)) {
    const nodes: ConfigurationNode[] = []
    for (const node of objectsOf(configuration['nodes'])) {
      const cpeMatch: CpeMatch[] = []
      for (const raw of objectsOf(node['cpeMatch'])) {
        const match = cpeMatch.length < room ? toMatch(raw) : undefined
        if (match !== undefined) cpeMatch.push(match)
      }
      room -= cpeMatch.length
      if (cpeMatch.length > 0) nodes.push({ operator: toOperator(node['operator']), ...negateOf(node), cpeMatch })
    }
    if (nodes.length > 0) configurations.push({ operator: toOperator(configuration['operator']), ...negateOf(configuration), nodes })
  }
  return configurations
}

function toMatch(raw: Record<string, unknown>): CpeMatch | undefined {
  const { criteria } = raw
  if (typeof criteria !== 'string' || !isCpe(criteria)) return undefined
  const match: CpeMatch = { vulnerable: raw['vulnerable'] === true, criteria }
  for (const bound of BOUNDS) {
    const version = raw[bound]
    if (typeof version === 'string' && version !== '') match[bound] = version
  }
  return match
}

function negateOf(raw: Record<string, unknown>): { negate?: true } {
  return raw['negate'] === true ? { negate: true } : {}
}

function toOperator(raw: unknown): Operator {
  return typeof raw === 'string' && raw.toUpperCase() === 'AND' ? 'AND' : 'OR'
}

/** The objects of a list; anything else is no list. */
export function objectsOf(raw: unknown): Record<string, unknown>[] {
  if (!Array.isArray(raw)) return []
  // Nearly always all of them are, and there are millions in an import.
  return raw.every(isObject) ? raw : raw.filter(isObject)
}

export function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** Every product that the configurations name as vulnerable, as `productName` writes it. */
export function vulnerableProducts(configurations: readonly Configuration[]): Set<string> {
  const names = new Set<string>()
  // Rows of one product follow each other, by the thousand: only the first of them is looked at closely.
  let before: string | undefined
  for (const { nodes } of configurations)
    for (const { cpeMatch } of nodes)
      for (const { vulnerable, criteria } of cpeMatch) {
        if (!vulnerable || (before !== undefined && criteria.startsWith(before, VENDOR_AT))) continue
        const name = productNameOf(criteria)
        names.add(name)
        before = `${name}:`
      }
  return names
}
