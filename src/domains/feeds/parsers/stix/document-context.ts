import type { Tlp } from '../../feeds.model.ts'
import type { FeedRow } from '../feed-row.ts'
import { cleanText } from './clean-text.ts'
import { MAX_TAG_CHARS, MAX_TAGS, type StixObject } from './stix-rows.ts'
import { highestTlp, tlpOfDefinition, tlpOfMarkingId } from './tlp.ts'

/** Indicators that wait for what the rest of the document says about them, and characters of them. Assumption: a page of any server fits. */
const HELD_ROWS = 20_000
const HELD_CHARS = 8_000_000
/** Indicators that are remembered after they were given out; names and relationships that are remembered. Assumption: bounds the memory. */
const REMEMBERED = 250_000
const MAX_NAMES = 50_000
const MAX_RELATIONSHIPS = 250_000
/** What a row costs beside its texts, characters. Assumption. */
const ROW_CHARS = 200

/** Kinds of object that an indicator is attributed to; their names become tags. Source: STIX 2.1, 4.7, `indicates`. */
const ATTRIBUTED = new Set(['malware', 'tool', 'campaign', 'intrusion-set', 'threat-actor'])

type Held = { id: string | undefined; modified: number; rows: FeedRow[]; refs: string[]; level: Tlp | undefined }
type Given = { rows: FeedRow[]; tags: number }

/**
 * What one document says about its indicators elsewhere: names, relationships, markings, later versions. Objects come in any order, so
 * indicators wait here for the end of the document, or for the limit; those that went out earlier are given their names afterwards, as
 * rows that repeat a value. Memory is bounded whatever the document holds: beyond the limits names are lost, never values.
 */
export class DocumentContext {
  private held = new Map<string, Held[]>()
  private heldRows = 0
  private heldChars = 0
  private unnamed = 0
  private readonly given = new Map<string, Given>()
  private readonly names = new Map<string, string>()
  private readonly targets = new Map<string, string[]>()
  private relationships = 0
  private readonly ids = new Map<string, string>()
  private readonly markings = new Map<string, Tlp>()

  /** Takes a name, a relationship or a marking. */
  note(object: StixObject): void {
    const { type, id } = object
    if (type === 'relationship') this.noteRelationship(object)
    else if (typeof id !== 'string' || typeof type !== 'string') return
    else if (type === 'marking-definition') this.noteMarking(id, object)
    else if (ATTRIBUTED.has(type)) this.noteName(id, type, object)
  }

  /** Takes the rows of one indicator or observable. An older version of what is held is dropped, a newer one takes its place. */
  hold(entry: Held, out: FeedRow[]): void {
    const key = entry.id ?? `\0${this.unnamed++}`
    const others = this.held.get(key) ?? []
    const newer = others.filter(({ modified }) => modified >= entry.modified)
    // The same id and moment twice is no new version; some feeds use one id for many values.
    if (newer.some(({ modified }) => modified > entry.modified)) return
    for (const other of others) if (other.modified < entry.modified) this.count(other, -1)
    this.held.set(key, [...newer, entry])
    this.count(entry, 1)
    if (this.heldRows >= HELD_ROWS || this.heldChars >= HELD_CHARS) this.give(out, false)
  }

  /** Gives out everything, then the names of those that were given out before they were known. */
  end(out: FeedRow[]): void {
    this.give(out, true)
    for (const [id, { rows, tags }] of this.given) {
      const names = this.namesFor(id)
      if (names.length <= tags) continue
      for (const row of rows) out.push({ ...row, tags: names, repeat: true })
    }
    this.given.clear()
  }

  private count({ rows }: Held, sign: 1 | -1): void {
    this.heldRows += sign * rows.length
    for (const { raw, description } of rows) this.heldChars += sign * (raw.length + (description?.length ?? 0) + ROW_CHARS)
  }

  private give(out: FeedRow[], last: boolean): void {
    for (const [id, entries] of this.held) {
      const names = this.namesFor(id)
      for (const entry of entries) this.giveOne(entry, names, { out, last })
    }
    this.held = new Map()
    this.heldRows = 0
    this.heldChars = 0
  }

  private giveOne({ id, rows, refs, level }: Held, names: string[], { out, last }: { out: FeedRow[]; last: boolean }): void {
    const tlp = highestTlp([level, ...refs.map((ref) => tlpOfMarkingId(ref) ?? this.markings.get(ref))])
    for (const row of rows) {
      if (tlp !== undefined) row.tlp = tlp
      if (names.length > 0) row.tags = [...new Set([...(row.tags ?? []), ...names])]
      out.push(row)
    }
    if (last || id === undefined || this.given.size >= REMEMBERED) return
    const values = rows.filter(({ kind, problem }) => kind !== 'UNSUPPORTED' && problem === undefined)
    if (values.length > 0) this.given.set(id, { rows: values.map(toReminder), tags: names.length })
  }

  private namesFor(id: string): string[] {
    const targets = this.targets.get(id)
    if (targets === undefined) return []
    const names = new Set<string>()
    for (const target of targets) {
      const name = this.names.get(target)
      if (name !== undefined && names.size < MAX_TAGS) names.add(name)
    }
    return [...names]
  }

  private noteRelationship({ relationship_type: kind, source_ref: source, target_ref: target, revoked }: StixObject): void {
    if (kind !== 'indicates' || revoked === true || typeof source !== 'string' || typeof target !== 'string') return
    if (this.relationships >= MAX_RELATIONSHIPS || !ATTRIBUTED.has(target.slice(0, target.indexOf('--')))) return
    const targets = this.targets.get(source)
    const interned = this.intern(target)
    if (targets === undefined) this.targets.set(source, [interned])
    else if (targets.length < MAX_TAGS) targets.push(interned)
    this.relationships++
  }

  /** Thousands of relationships name the same target: its id is kept once. */
  private intern(id: string): string {
    const known = this.ids.get(id)
    if (known !== undefined) return known
    this.ids.set(id, id)
    return id
  }

  private noteName(id: string, type: string, { name, revoked }: StixObject): void {
    if (typeof name !== 'string' || revoked === true || this.names.size >= MAX_NAMES) return
    const text = cleanText(name).replace(/\s+/g, ' ').trim()
    if (text !== '') this.names.set(id, `${type}:${text}`.slice(0, MAX_TAG_CHARS).toWellFormed())
  }

  private noteMarking(id: string, object: StixObject): void {
    const level = tlpOfDefinition(object)
    if (level !== undefined && this.markings.size < MAX_NAMES) this.markings.set(id, level)
  }
}

/** What must be said again of a value when a name is added to it: everything that would mean something else if it were left out. */
function toReminder({ line, raw, kind, validUntil, tlp }: FeedRow): FeedRow {
  const row: FeedRow = { line, raw }
  if (kind !== undefined) row.kind = kind
  if (validUntil !== undefined) row.validUntil = validUntil
  if (tlp !== undefined) row.tlp = tlp
  return row
}
