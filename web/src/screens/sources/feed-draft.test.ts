import { describe, expect, it } from 'vitest'
import type { Feed } from '../../api/feeds.ts'
import { changedFields, draftOf, EMPTY_DRAFT, nameFromUrl, patchOf, probeOf, rebase, testedPart } from './feed-draft.ts'

const FEED: Feed = {
  id: 'id',
  name: 'Alpha',
  url: 'https://alpha.example/list.csv',
  format: 'CSV',
  feed_type: 'malware',
  status: 'HEALTHY',
  is_active: true,
  reliability: 'B',
  frequency: 3600,
  parser: { delimiter: ',' },
  tlp: 'CLEAR',
  licence: null,
  homepage: null,
  listed: 10,
  last_successful_run: null,
  last_error: null,
  has_error: false,
  collecting: false,
  version: 4,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
}

describe('nameFromUrl', () => {
  it.each([
    ['https://www.lists.example/a.txt', 'lists.example'],
    ['https://lists.example:8443/', 'lists.example'],
    ['not an address', ''],
  ])('takes the host of %s', (url, name) => {
    expect(nameFromUrl(url)).toBe(name)
  })
})

describe('patchOf', () => {
  it('sends only what was changed, with the version that was seen', () => {
    expect(patchOf({ ...draftOf(FEED), frequency: 300, licence: ' CC0 ' }, FEED)).toEqual({ version: 4, frequency: 300, licence: 'CC0' })
  })
  it('sends an emptied text as null', () => {
    const feed = { ...FEED, homepage: 'https://a.example' }
    expect(patchOf({ ...draftOf(feed), homepage: '' }, feed)).toEqual({ version: 4, homepage: null })
  })
  it('does not take blanks around a value for a change', () => {
    expect(patchOf({ ...draftOf(FEED), name: 'Alpha ' }, FEED)).toEqual({ version: 4 })
  })
})

describe('testedPart', () => {
  it('does not change with the name, but with the address', () => {
    const draft = draftOf(FEED)
    expect(testedPart({ ...draft, name: 'Other' })).toBe(testedPart(draft))
    expect(testedPart({ ...draft, url: 'https://b.example' })).not.toBe(testedPart(draft))
  })
  it.each([
    ['CSV', true],
    ['STIX', false],
    ['TAXII', false],
  ])('changes with the TLP level only where the objects are marked: %s', (format, same) => {
    const draft = { ...draftOf(FEED), format }
    expect(testedPart({ ...draft, tlp: 'RED' }) === testedPart(draft)).toBe(same)
  })
})

describe('probeOf', () => {
  it('asks for what a collection would take, TLP level included', () => {
    expect(probeOf({ ...draftOf(FEED), format: 'STIX', tlp: 'GREEN' })).toMatchObject({
      format: 'STIX',
      tlp: 'GREEN',
      feed_type: 'malware',
    })
  })
  it('refuses reader settings that are no object', () => {
    expect(() => probeOf({ ...EMPTY_DRAFT, parser: '[1]' })).toThrow(SyntaxError)
  })
})

describe('rebase', () => {
  it('keeps what was typed and takes the rest from the newer version', () => {
    const newer: Feed = { ...FEED, version: 5, reliability: 'A', name: 'Alpha list' }
    const draft = rebase({ ...draftOf(FEED), frequency: 300 }, FEED, newer)
    expect(draft).toMatchObject({ frequency: 300, reliability: 'A', name: 'Alpha list' })
    expect(changedFields(draftOf(newer), draft)).toEqual(['frequency'])
  })
})
