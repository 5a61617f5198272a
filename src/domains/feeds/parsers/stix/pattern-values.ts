import type { RowKind } from '../feed-row.ts'
import { type Comparison, type Literal, type ObjectPath, type Observation, printPath } from './pattern-tree.ts'

/** One value that a pattern names, as it was written; without a kind it is found out from the value. */
export type PatternValue = { raw: string; kind?: RowKind }

/**
 * What a pattern gives: values; nothing, because it does not say of any value alone that it is bad; or nothing, because it is about
 * things that are not held here, and which.
 */
export type PatternReading =
  | { kind: 'values'; values: PatternValue[] }
  | { kind: 'refused'; reason: string }
  | { kind: 'unsupported'; what: string }

/** What one part of a pattern amounts to. `context` narrows a match and names no value: a file name beside a hash. */
type Part = PatternReading | { kind: 'context'; what: string }

/** Properties that only narrow a match when they stand beside a value. Source: docs/decisions/0014. */
const CONTEXT =
  /^(?:file:(?:name|name_enc|size|mime_type|magic_number_hex|ctime|mtime|atime|created|modified|accessed|parent_directory_ref\..*)|network-traffic:(?:dst_port|src_port|protocols(?:\[.*\])?|start|end|is_active|(?:dst|src)_ref\.type))$/
/** Digests that are held. Source: spec, "IOC"; keys are compared without hyphens and case, as feeds write `sha256` too. */
const HASHES = new Set(['MD5', 'SHA1', 'SHA256', 'SHA512'])

/** Paths whose value is an indicator, and its kind; `undefined` where the value itself says what it is. */
const VALUE_PATHS: ReadonlyMap<string, RowKind | undefined> = new Map<string, RowKind | undefined>([
  ['ipv4-addr:value', 'IPV4'],
  ['ipv6-addr:value', 'IPV6'],
  ['domain-name:value', 'DOMAIN'],
  ['url:value', 'URL'],
  ['email-addr:value', 'EMAIL'],
  ['email-message:from_ref.value', 'EMAIL'],
  ['email-message:sender_ref.value', 'EMAIL'],
  ['network-traffic:dst_ref.value', undefined],
  ['network-traffic:src_ref.value', undefined],
  ['domain-name:resolves_to_refs[*].value', undefined],
])
const ADDRESS_KINDS: readonly (RowKind | undefined)[] = ['IPV4', 'IPV6', undefined]

/**
 * The values that a pattern calls bad one by one: those of `=`, IN and ISSUBSET that are reached through OR or stand alone. Of an AND
 * between two values neither is bad alone, so none is taken; only several digests of one file are all taken, since each of them names it.
 *
 * Source: docs/decisions/0014.
 */
export function readPatternValues(pattern: Observation): PatternReading {
  const part = readObservation(pattern)
  return part.kind === 'context' ? { kind: 'unsupported', what: part.what } : part
}

function readObservation(pattern: Observation): Part {
  switch (pattern.kind) {
    case 'observation':
      return readComparison(pattern.comparison)
    case 'qualified':
      return readObservation(pattern.of)
    case 'or':
      return anyOf(pattern.operands.map(readObservation))
    case 'and':
      return allOf(pattern.operands.map(readObservation))
    case 'followedby':
      return refused('The pattern is about one thing that follows another (FOLLOWEDBY), not about a value alone.')
  }
}

function readComparison(comparison: Comparison): Part {
  switch (comparison.kind) {
    case 'or':
      return anyOf(comparison.operands.map(readComparison))
    case 'and':
      return digestsOfOneFile(comparison.operands) ?? allOf(comparison.operands.map(readComparison))
    case 'exists':
      return readExists(comparison.path)
    case 'test':
      return readTest(comparison)
  }
}

function anyOf(parts: Part[]): Part {
  const values = parts.flatMap((part) => (part.kind === 'values' ? part.values : []))
  if (values.length > 0) return { kind: 'values', values }
  return parts.find(({ kind }) => kind === 'refused') ?? parts.find(({ kind }) => kind === 'unsupported') ?? firstOf(parts)
}

function allOf(parts: Part[]): Part {
  const bad = parts.find(({ kind }) => kind === 'refused')
  if (bad !== undefined) return bad
  const withValues = parts.filter(({ kind }) => kind === 'values')
  const unknown = parts.find(({ kind }) => kind === 'unsupported')
  const [only] = withValues
  if (only === undefined) return unknown ?? firstOf(parts)
  if (withValues.length > 1) return refused('The pattern is about several values together (AND); none of them is said to be bad alone.')
  return unknown ?? only
}

function firstOf(parts: Part[]): Part {
  return parts[0] ?? refused('The pattern names no value.')
}

/** `MD5 = … AND 'SHA-256' = …`: different digests of the same file, each of which names it. */
function digestsOfOneFile(operands: Comparison[]): Part | undefined {
  const parts: Part[] = []
  const algorithms = new Set<string>()
  for (const operand of operands) {
    const part = readComparison(operand)
    if (part.kind === 'context') continue
    const algorithm = operand.kind === 'test' ? digestOf(operand.path) : undefined
    if (part.kind !== 'values' || algorithm === undefined || algorithms.has(algorithm)) return undefined
    algorithms.add(algorithm)
    parts.push(part)
  }
  return parts.length === 0 ? undefined : anyOf(parts)
}

function readExists(path: ObjectPath): Part {
  return kindOf(path) === undefined ? unheld(path) : refused('The pattern asks whether a property is there (EXISTS) and names no value.')
}

function readTest({ path, negated, operator, operands }: Extract<Comparison, { kind: 'test' }>): Part {
  const known = kindOf(path)
  if (known === undefined) return unheld(path)
  if (negated || operator === '!=') return refused('The pattern says what a value is not (NOT, !=).')
  if (operator === 'ISSUBSET' && ADDRESS_KINDS.includes(known.kind)) return { kind: 'values', values: toRanges(operands) }
  if (operator !== '=' && operator !== 'IN') return refused(`The pattern compares with ${operator}, so it names no value of its own.`)
  if (operands.length === 0) return refused('The pattern names no value: its list is empty.')
  if (operands.some(({ kind }) => kind !== 'string')) return refused('The pattern compares with something other than a text.')
  return { kind: 'values', values: operands.map(({ text }) => toValue(text, known.kind)) }
}

function toRanges(operands: Literal[]): PatternValue[] {
  return operands.map(({ text }) => (text.includes('/') ? { raw: text, kind: 'NETWORK' } : { raw: text, kind: 'IP' }))
}

/** An address with a prefix length is a range; a range of one address comes back as the address. */
function toValue(raw: string, kind: RowKind | undefined): PatternValue {
  if ((kind === 'IPV4' || kind === 'IPV6') && raw.includes('/')) return { raw, kind: 'NETWORK' }
  return kind === undefined ? { raw } : { raw, kind }
}

function kindOf(path: ObjectPath): { kind: RowKind | undefined } | undefined {
  if (path.type === 'file') return digestOf(path) === undefined ? undefined : { kind: 'HASH' }
  const text = printPath(path)
  return VALUE_PATHS.has(text) ? { kind: VALUE_PATHS.get(text) } : undefined
}

/** The algorithm of a file's digest that is held, without hyphen and case. */
function digestOf({ type, steps }: ObjectPath): string | undefined {
  const [first, second] = steps
  if (type !== 'file' || steps.length !== 2 || first?.kind !== 'key' || first.name !== 'hashes' || second?.kind !== 'key') return undefined
  return heldDigest(second.name)
}

/** The algorithm in one spelling when its digests are held: `sha-256`, `SHA256` and `SHA-256` are one. */
export function heldDigest(name: string): string | undefined {
  const algorithm = name.replace(/[-_]/g, '').toUpperCase()
  return HASHES.has(algorithm) ? algorithm : undefined
}

function unheld(path: ObjectPath): Part {
  const what = printPath(path)
  return { kind: CONTEXT.test(what) ? 'context' : 'unsupported', what }
}

function refused(reason: string): PatternReading {
  return { kind: 'refused', reason }
}
