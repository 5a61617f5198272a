import { type Feed, type FeedCreation, type FeedPatch, type FeedProbe, FREQUENCY_DEFAULT_SECONDS } from '../../api/feeds.ts'
import { factsOfFormat } from './feed-formats.ts'
import { readParserText, writeParserText } from './parser-text.ts'

/** What stands in the form; text as typed, so that half a URL or half a JSON object can stand there too. */
export type FeedDraft = {
  url: string
  format: string
  name: string
  feed_type: string
  reliability: string
  frequency: number
  tlp: Feed['tlp']
  licence: string
  homepage: string
  /** Reader settings as JSON text. */
  parser: string
}

export type DraftField = keyof FeedDraft
const FIELDS = ['name', 'url', 'format', 'feed_type', 'reliability', 'frequency', 'tlp', 'licence', 'homepage', 'parser'] as const

/** Defaults as the API's own. Source: src/domains/feeds/feeds.service.ts. */
export const EMPTY_DRAFT: FeedDraft = {
  url: '',
  format: 'CSV',
  name: '',
  feed_type: 'other',
  reliability: 'C',
  frequency: FREQUENCY_DEFAULT_SECONDS,
  tlp: 'CLEAR',
  licence: '',
  homepage: '',
  parser: '',
}

export function draftOf(feed: Feed): FeedDraft {
  const { url, format, name, feed_type, reliability, frequency, tlp, licence, homepage, parser } = feed
  return {
    url,
    format,
    name,
    feed_type,
    reliability,
    frequency,
    tlp,
    licence: licence ?? '',
    homepage: homepage ?? '',
    parser: writeParserText(parser),
  }
}

/** The body of a new feed. @throws SyntaxError when the reader settings are no JSON object */
export function creationOf(draft: FeedDraft): FeedCreation {
  const { url, name, licence, homepage, parser, ...rest } = draft
  return {
    ...rest,
    url: url.trim(),
    name: name.trim(),
    parser: readParserText(parser),
    licence: orNull(licence),
    homepage: orNull(homepage),
  }
}

/** Only what differs from `base`, with its version; two people who change different fields do not undo each other's work. @throws SyntaxError */
export function patchOf(draft: FeedDraft, base: Feed): FeedPatch {
  const body = creationOf(draft)
  const changed = new Set<string>(changedFields(draftOf(base), draft))
  return { version: base.version, ...Object.fromEntries(Object.entries(body).filter(([field]) => changed.has(field))) }
}

/** What a test fetches and reads. @throws SyntaxError when the reader settings are no JSON object */
export function probeOf({ url, format, parser, feed_type, tlp }: FeedDraft): FeedProbe {
  return { url: url.trim(), format, tlp, parser: readParserText(parser), ...(feed_type.trim() === '' ? {} : { feed_type }) }
}

/** Equal for two drafts exactly when a test of one also holds for the other. */
export function testedPart({ url, format, parser, tlp }: FeedDraft): string {
  return JSON.stringify([url.trim(), format, parser.trim(), factsOfFormat(format)?.marked === true ? tlp : ''])
}

/** The fields in which two drafts differ, in the order of the form. */
export function changedFields(before: FeedDraft, after: FeedDraft): DraftField[] {
  return FIELDS.filter((field) => normal(before, field) !== normal(after, field))
}

/** The draft on top of a newer version: what was changed in the form stays, everything else is as it is now. */
export function rebase(draft: FeedDraft, base: Feed, newer: Feed): FeedDraft {
  const mine = new Set<string>(changedFields(draftOf(base), draft))
  const theirs = draftOf(newer)
  return Object.fromEntries(FIELDS.map((field) => [field, mine.has(field) ? draft[field] : theirs[field]])) as FeedDraft
}

/** A name to start from: the host of the address. */
export function nameFromUrl(url: string): string {
  return URL.parse(url.trim())?.hostname.replace(/^www\./, '') ?? ''
}

function normal(draft: FeedDraft, field: DraftField): string {
  const value = String(draft[field]).trim()
  return field === 'parser' && value === '{}' ? '' : value
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
