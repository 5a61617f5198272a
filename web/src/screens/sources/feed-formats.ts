import type { Feed } from '../../api/feeds.ts'

export type FeedFormat = Feed['format']

/** Reader settings that have a box of their own in the form; the rest is written as JSON. */
export type SimpleSetting = 'value' | 'type' | 'items' | 'mode' | 'delimiter' | 'header' | 'comment' | 'strip_port' | 'observables'

export type FormatFacts = {
  /** Its objects carry TLP marks of their own, so that the feed's level decides which of them are taken. */
  marked: boolean
  settings: readonly SimpleSetting[]
  /** How an address looks that leads to this format. */
  addresses: RegExp
  /** What the name of the file holds, where its ending does not tell. */
  named?: RegExp
}

const STIX_SETTINGS = ['observables'] as const satisfies readonly SimpleSetting[]

/** Every format; a new one is a row here and a row of words in sources.text.ts. The order is that of the guesses from an address. */
export const FEED_FORMATS: Readonly<Record<FeedFormat, FormatFacts>> = {
  TAXII: {
    marked: true,
    settings: STIX_SETTINGS,
    addresses: /\/taxii2?(\/|$)|\/collections\/[0-9a-f-]{36}(\/|$)/,
  },
  PULSE: { marked: true, settings: [], addresses: /\/pulses\/subscribed/ },
  STIX: {
    marked: true,
    settings: STIX_SETTINGS,
    addresses: /\.(stix2?|json)(\.(gz|zst|xz|zip))?$/,
    named: /stix|bundle/,
  },
  JSON: {
    marked: false,
    settings: ['value', 'type', 'items', 'mode', 'strip_port'],
    addresses: /\.(json|ndjson|jsonl)(\.(gz|zst|xz|zip))?$/,
  },
  CSV: {
    marked: false,
    settings: ['value', 'type', 'comment', 'delimiter', 'header', 'strip_port'],
    addresses: /\.(csv|tsv|txt|list|ipset|netset)(\.(gz|zst|xz|zip))?$/,
  },
}

/** In the order of the form: the usual one first. */
const FORM_ORDER: readonly FeedFormat[] = ['CSV', 'JSON', 'STIX', 'TAXII', 'PULSE']

/** Formats that a feed may have; also `current`, in case this page is older than the service. */
export function offeredFormats(current: string): string[] {
  const offered: string[] = [...FORM_ORDER]
  return offered.includes(current) ? offered : [...offered, current]
}

/** What is known of a format by its name; undefined for one that this page does not know yet. */
export function factsOfFormat(format: string): FormatFacts | undefined {
  return Object.entries(FEED_FORMATS).find(([name]) => name === format)?.[1]
}

/** The format that the path of an address speaks of; undefined when it says nothing. */
export function formatFromUrl(url: string): FeedFormat | undefined {
  const path = URL.parse(url.trim())?.pathname.toLowerCase() ?? ''
  const names = Object.keys(FEED_FORMATS) as FeedFormat[]
  const file = path.slice(path.lastIndexOf('/') + 1)
  return names.find((name) => {
    const { addresses, named }: FormatFacts = FEED_FORMATS[name]
    return addresses.test(path) && (named?.test(file) ?? true)
  })
}
