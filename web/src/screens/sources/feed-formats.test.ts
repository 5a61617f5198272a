import { describe, expect, it } from 'vitest'
import { FEED_FORMATS, factsOfFormat, formatFromUrl, offeredFormats } from './feed-formats.ts'

describe('formatFromUrl', () => {
  it.each([
    ['https://a.example/x.json', 'JSON'],
    ['https://a.example/x.ndjson.gz?key=1', 'JSON'],
    ['https://a.example/x.CSV', 'CSV'],
    ['https://a.example/x.txt.zst', 'CSV'],
    ['https://a.example/x.csv.zip', 'CSV'],
    ['https://a.example/pegasus.stix2', 'STIX'],
    ['https://a.example/stix-bundle.json', 'STIX'],
    ['https://a.example/lists/bundle.json.gz', 'STIX'],
    ['https://a.example/taxii2/', 'TAXII'],
    ['https://a.example/root/collections/91a7b528-80eb-42ed-a74d-c6fbd5a26116/', 'TAXII'],
    ['https://a.example/root/collections/91a7b528-80eb-42ed-a74d-c6fbd5a26116/objects/?match[type]=indicator', 'TAXII'],
    ['https://a.example/api/v1/pulses/subscribed', 'PULSE'],
    ['https://a.example/feed', undefined],
    ['https://a.example/?file=x.csv', undefined],
    ['nothing', undefined],
  ])('reads the path of %s', (url, format) => {
    expect(formatFromUrl(url)).toBe(format)
  })
})

describe('offeredFormats', () => {
  it('offers every format, the usual one first', () => {
    const offered = offeredFormats('CSV')
    expect(offered).toEqual(['CSV', 'JSON', 'STIX', 'TAXII', 'PULSE'])
    expect(offered.toSorted()).toEqual(Object.keys(FEED_FORMATS).toSorted())
  })
  it('keeps the format of a feed that is changed, whatever it is', () => {
    expect(offeredFormats('NEWER').at(-1)).toBe('NEWER')
  })
})

it('gives each format boxes of its own kinds only', () => {
  expect(FEED_FORMATS.TAXII.settings).not.toContain('delimiter')
  expect(factsOfFormat('NEWER')).toBeUndefined()
})
