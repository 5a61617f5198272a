import type { Tlp } from '../../feeds.model.ts'
import type { FeedRow, RowKind } from '../feed-row.ts'
import { cleanText } from './clean-text.ts'
import { MAX_TAG_CHARS, MAX_TAGS, type StixObject } from './stix-rows.ts'
import { highestTlp, tlpOfDefinition, tlpOfMarkingId } from './tlp.ts'

/** Indicators that wait for what the rest of the document says about them, and characters of them. Assumption: most pages of servers fit. */
const HELD_ROWS = 1000
const HELD_CHARS = 8_000_000
/** Bytes of what is remembered of indicators that were given out. Assumption: about 400 000 of them. */
const REMEMBERED_BYTES = 64 * 1_048_576
/** Names and relationships that are remembered. Assumption: bounds the memory. */
const MAX_NAMES = 50_000
const MAX_RELATIONSHIPS = 250_000
/** What a row costs beside its texts, characters. Assumption. */
const ROW_CHARS = 200

/** Kinds of object that an indicator is attributed to; their names become tags. Source: STIX 2.1, 4.7, `indicates`. */
const ATTRIBUTED = new Set(['malware', 'tool', 'campaign', 'intrusion-set', 'threat-actor'])

const NONE: readonly string[] = []

/** The rows of one object. `before`: what shares its id and moment; `isOld`: a newer version has come. */
type Held = {
  id: string | undefined
  modified: number
  rows: FeedRow[]
  refs: readonly string[]
  level: Tlp | undefined
  before?: Held
  isOld?: true
}
/** One row that was given out, as little of it as a name needs: kept as text, because objects of a whole document would fill the heap. */
type Reminder = [id: string, names: number, line: number, raw: string, kind: RowKind | null, validUntil: number | null, tlp: Tlp | null]

/**
 * What one document says about its indicators elsewhere: names, relationships, markings, later versions. Objects come in any order, so
 * indicators wait here for the end of the document, or for the limit; those that went out earlier are given their names afterwards, as
 * rows that repeat a value. Memory is bounded whatever the document holds: beyond the limits names are lost, never values.
 */
export class DocumentContext {
  private held: Held[] = []
  private newest = new Map<string, Held>()
  private heldRows = 0
  private heldChars = 0
  /** Lines of reminders, one buffer for each time that the waiting rows went out. */
  private readonly given: Buffer[] = []
  private givenBytes = 0
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
    if (entry.id !== undefined && !this.isNewest(entry.id, entry)) return
    this.held.push(entry)
    this.heldRows += entry.rows.length
    for (const { raw, description } of entry.rows) this.heldChars += raw.length + (description?.length ?? 0) + ROW_CHARS
    if (this.heldRows >= HELD_ROWS || this.heldChars >= HELD_CHARS) this.give(out, false)
  }

  /** Gives out everything that waits. */
  end(out: FeedRow[]): void {
    this.give(out, true)
  }

  /** The names of what was given out before they were known, one row for each value. */
  *late(): Generator<FeedRow> {
    if (this.relationships === 0) return
    for (let buffer = this.given.shift(); buffer !== undefined; buffer = this.given.shift()) {
      for (const line of buffer.toString('utf8').split('\n')) yield* this.tryLate(line)
    }
  }

  private *tryLate(text: string): Generator<FeedRow> {
    // Written by this class.
    const [id, known, line, raw, kind, validUntil, tlp] = JSON.parse(text) as Reminder
    const names = this.namesFor(id)
    if (names.length <= known) return
    const row: FeedRow = { line, raw, tags: [...names], repeat: true }
    if (kind !== null) row.kind = kind
    // Left out, these would say that the value has no end and no marking.
    if (validUntil !== null) row.validUntil = new Date(validUntil)
    if (tlp !== null) row.tlp = tlp
    yield row
  }

  /** The same id and moment twice is no new version: some feeds use one id for many values. */
  private isNewest(id: string, entry: Held): boolean {
    const known = this.newest.get(id)
    if (known !== undefined) {
      if (known.modified > entry.modified) return false
      if (known.modified === entry.modified) entry.before = known
      else for (let old: Held | undefined = known; old !== undefined; old = old.before) old.isOld = true
    }
    this.newest.set(id, entry)
    return true
  }

  private give(out: FeedRow[], last: boolean): void {
    const reminders: string[] = []
    for (const entry of this.held) {
      if (entry.isOld === true) continue
      const names = entry.id === undefined ? NONE : this.namesFor(entry.id)
      giveOne(entry, { tlp: this.levelOf(entry), names, out })
      if (!last && entry.id !== undefined)
        for (const row of entry.rows) if (isValue(row)) reminders.push(toReminder(entry.id, names.length, row))
    }
    this.held = []
    this.newest.clear()
    this.heldRows = 0
    this.heldChars = 0
    this.remember(reminders)
  }

  private remember(reminders: string[]): void {
    if (reminders.length === 0 || this.givenBytes >= REMEMBERED_BYTES) return
    const buffer = Buffer.from(reminders.join('\n'))
    this.given.push(buffer)
    this.givenBytes += buffer.length
  }

  private levelOf({ level, refs }: Held): Tlp | undefined {
    return refs.length === 0 ? level : highestTlp([level, ...refs.map((ref) => tlpOfMarkingId(ref) ?? this.markings.get(ref))])
  }

  private namesFor(id: string): readonly string[] {
    const targets = this.targets.get(id)
    if (targets === undefined) return NONE
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

function giveOne({ rows }: Held, { tlp, names, out }: { tlp: Tlp | undefined; names: readonly string[]; out: FeedRow[] }): void {
  for (const row of rows) {
    if (tlp !== undefined) row.tlp = tlp
    if (names.length > 0) row.tags = [...new Set([...(row.tags ?? []), ...names])]
    out.push(row)
  }
}

function isValue({ kind, problem }: FeedRow): boolean {
  return kind !== 'UNSUPPORTED' && problem === undefined
}

function toReminder(id: string, names: number, { line, raw, kind, validUntil, tlp }: FeedRow): string {
  const reminder: Reminder = [id, names, line, raw, kind ?? null, validUntil?.getTime() ?? null, tlp ?? null]
  return JSON.stringify(reminder)
}
