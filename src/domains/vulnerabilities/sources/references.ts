import { objectsOf } from '../applicability/configurations.ts'
import type { CveReference } from '../vulnerabilities.model.ts'
import { cleanText } from './clean-text.ts'

/** References of one CVE. Assumption: the most seen in published records is about 500. */
const MAX_REFERENCES = 1000
const MAX_URL_CHARS = 2048
/** Tags of one address, and what is looked at of one statement. */
const MAX_TAGS = 20
const MAX_TAG_CHARS = 100
/** Anything else, `javascript:` above all, is no reference that a person may be asked to click. */
const OPENABLE = /^(?:https?|ftp):\/\//i
const EXPLOIT_TAG = 'Exploit'
/** Addresses of published exploits that their publisher did not tag. Source: docs/decisions/0016. */
const EXPLOIT_ADDRESSES: readonly RegExp[] = [
  /^https?:\/\/(?:www\.)?exploit-db\.com\/exploits\/\d/i,
  /^https?:\/\/(?:[\w.-]+\.)?packetstorm(?:security)?\.(?:com|org|news|net)\/files?\//i,
  /^https?:\/\/(?:www\.)?rapid7\.com\/db\/modules\//i,
  /^https?:\/\/(?:www\.)?github\.com\/[^/]+\/[^/?#]*(?:cve-\d{4}-\d|poc|exploit)/i,
]

/** The references of a record, each address once with all its tags: since 2024 every one is repeated under a second source. */
export function toReferences(raw: unknown): CveReference[] {
  const byUrl = new Map<string, string[]>()
  for (const { url, tags } of objectsOf(raw)) {
    if (typeof url !== 'string' || url.length > MAX_URL_CHARS || !OPENABLE.test(url)) continue
    const clean = cleanText(url)
    const known = byUrl.get(clean)
    if (known === undefined && byUrl.size === MAX_REFERENCES) break
    byUrl.set(clean, addTags(known ?? [], tags))
  }
  return [...byUrl].map(([url, tags]) => ({ url, tags: tags.sort() }))
}

function addTags(all: string[], tags: unknown): string[] {
  for (const tag of Array.isArray(tags) ? tags.slice(0, MAX_TAGS) : []) {
    const short = typeof tag === 'string' ? cleanText(tag).slice(0, MAX_TAG_CHARS) : undefined
    if (short !== undefined && all.length < MAX_TAGS && !all.includes(short)) all.push(short)
  }
  return all
}

/** Whether an exploit has been published, by tag or by address. Source: spec, "CVE": deduced from references. */
export function hasPublicExploit(references: readonly CveReference[]): boolean {
  return references.some(isExploit)
}

/** Whether a reference shows an exploit. */
export function isExploit({ url, tags }: CveReference): boolean {
  return tags.includes(EXPLOIT_TAG) || EXPLOIT_ADDRESSES.some((address) => address.test(url))
}
