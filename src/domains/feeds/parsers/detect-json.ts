import type { Holder } from '#kernel/json-scanner.ts'
import { excerpt, FeedFormatError, type JsonMode } from './feed-row.ts'
import { JsonScanner } from './json-scanner.ts'

/** Where the records are: `path` from the root to what holds them, `rest` from each record on to the values. */
export type JsonShape = { mode: JsonMode; path: readonly string[]; rest: readonly string[]; holder: Holder }

/** Lines of which two must be objects for a file to be one record a line. */
const PROBED_LINES = 5

/** Splits `relays.*.or_addresses.*` at its first star; a path without a star names what holds the records. */
export function shapeOf(mode: JsonMode, items: string | undefined): JsonShape {
  const parts = items === undefined ? [] : items.split('.')
  const star = parts.indexOf('*')
  if (mode === 'ndjson') return { mode, path: [], rest: parts, holder: 'any' }
  if (items === undefined) return { mode, path: [], rest: [], holder: mode === 'array' ? 'array' : 'object' }
  if (star === -1) return { mode, path: parts, rest: [], holder: 'any' }
  return { mode, path: parts.slice(0, star), rest: parts.slice(star + 1), holder: 'any' }
}

/**
 * Decides how records are laid out, from the beginning of the file.
 *
 * @param whole the beginning is the whole file
 * @throws FeedFormatError for what is not JSON at all
 */
export function detectJsonShape(head: string, whole: boolean, items: string | undefined): JsonShape {
  const text = head.trimStart()
  if (text === '') throw new FeedFormatError('The body is empty, which is not JSON.', { line: 1, offset: 0 })
  if (!text.startsWith('{') && !text.startsWith('[')) {
    throw new FeedFormatError(`The body is not JSON: it begins with "${excerpt(text, 40)}".`, {
      line: 1,
      offset: head.length - text.length,
    })
  }
  if (hasRecordLines(text)) return shapeOf('ndjson', items)
  if (items !== undefined) return { ...shapeOf('array', items), mode: text.startsWith('[') ? 'array' : 'object_values' }
  if (text.startsWith('[')) return shapeOf('array', undefined)
  return detectObjectShape(text, whole)
}

function hasRecordLines(text: string): boolean {
  let records = 0
  let start = 0
  for (let i = 0; i < PROBED_LINES && start < text.length; i++) {
    const end = text.indexOf('\n', start)
    if (isObjectText(text.slice(start, end === -1 ? text.length : end))) records++
    if (end === -1) break
    start = end + 1
  }
  return records >= 2
}

function isObjectText(line: string): boolean {
  const text = line.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Member = { key: string; first: string; chars: number }

/** An object holds its records under one member (`{"data": [...]}`) or is a map of them (`{"17": [...], "18": [...]}`). */
function detectObjectShape(text: string, whole: boolean): JsonShape {
  const members = sketchMembers(text)
  const containers = members.filter(({ first }) => first === '[' || first === '{')
  if (containers.length === 0) {
    const oneLine = whole && !text.trimEnd().includes('\n')
    return oneLine ? shapeOf('ndjson', undefined) : shapeOf('object_values', undefined)
  }
  const alike = containers.length === members.length && containers.every(({ first }) => first === containers[0]?.first)
  if (alike && containers.length >= 2) return shapeOf('object_values', undefined)
  const arrays = containers.filter(({ first }) => first === '[')
  const [largest] = (arrays.length > 0 ? arrays : containers).sort((a, b) => b.chars - a.chars)
  return { mode: largest?.first === '[' ? 'array' : 'object_values', path: [largest?.key ?? ''], rest: [], holder: 'any' }
}

function sketchMembers(text: string): Member[] {
  const members: Member[] = []
  const scanner = new JsonScanner([], 'object', ({ key = '', text: value }) =>
    members.push({ key, first: value[0] ?? '', chars: value.length }),
  )
  try {
    scanner.push(text)
  } catch (error) {
    // Broken text is reported by the reading itself, with the rows before it.
    if (!(error instanceof FeedFormatError)) throw error
  }
  const unfinished = scanner.unfinished()
  if (unfinished !== undefined) members.push({ key: unfinished.key ?? '', first: unfinished.first, chars: Number.POSITIVE_INFINITY })
  return members
}

/** Follows a dot path with stars into a parsed record. Only own members are followed, so `__proto__` is a name like any other. */
export function walkPath(value: unknown, path: readonly string[]): unknown[] {
  let level: unknown[] = [value]
  for (const part of path) {
    const next: unknown[] = []
    for (const entry of level) {
      if (typeof entry !== 'object' || entry === null) continue
      if (part === '*') for (const child of Object.values(entry)) next.push(child)
      else if (Object.hasOwn(entry, part)) next.push(Reflect.get(entry, part))
    }
    level = next
  }
  return level
}
