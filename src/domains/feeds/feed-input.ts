import { RELIABILITIES, type Reliability } from '#domains/indicators/indicators.model.ts'
import { type FieldError, refuseField } from '#kernel/errors.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { FEED_FORMATS, type FeedFormat, TLP_LEVELS, type Tlp } from './feeds.model.ts'
import { type ParserSettings, validateParserSettings } from './parser-settings.ts'

/** What a user may say of a feed, before it is checked. */
export type FeedInput = {
  name?: string
  url?: string
  format?: string
  feed_type?: string
  reliability?: string
  frequency?: number
  parser?: Record<string, unknown>
  tlp?: string
  licence?: string | null
  homepage?: string | null
  is_active?: boolean
}

/** The same, checked; only what was given is there. */
export type CheckedFeed = {
  name?: string
  url?: string
  format?: FeedFormat
  feed_type?: string
  reliability?: Reliability
  frequency?: number
  parser?: ParserSettings
  tlp?: Tlp
  licence?: string | null
  homepage?: string | null
  is_active?: boolean
}

/** Checks each given field and brings it into its stored form. The URL is judged elsewhere. @throws validation_failed naming the field */
export function checkFeedInput(input: FeedInput): CheckedFeed {
  const { name, format, feed_type, reliability, parser, tlp, ...plain } = input
  const checked: CheckedFeed = { ...plain }
  if (name !== undefined) checked.name = checkName(name)
  if (format !== undefined) checked.format = parseWord('format', format, FEED_FORMATS)
  if (feed_type !== undefined) checked.feed_type = feed_type.trim().toLowerCase()
  if (reliability !== undefined) checked.reliability = parseWord('reliability', reliability, RELIABILITIES)
  if (tlp !== undefined) checked.tlp = parseWord('tlp', tlp, TLP_LEVELS)
  if (parser !== undefined) checked.parser = validateParserSettings(parser)
  return checked
}

/** Only complete feeds can be created. @throws validation_failed */
export function requireFields(checked: CheckedFeed): CheckedFeed & { name: string; url: string; format: FeedFormat } {
  const { name, url, format } = checked
  if (name === undefined) throw missing('name')
  if (url === undefined) throw missing('url')
  if (format === undefined) throw missing('format')
  return { ...checked, name, url, format }
}

function missing(field: FieldError['field']) {
  return refuseField(field, `A feed needs a ${field}.`, 'required')
}

function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) throw refuseField('name', 'Give the feed a name without control characters.')
  return trimmed
}
