import { describe, expect, test } from 'vitest'
import { parseKevCatalogue, requireBelievableRemovals } from './read-kev.ts'

const entry = (number: number, more = {}) => ({
  cveID: `CVE-2031-${String(number).padStart(4, '0')}`,
  vendorProject: 'Acme',
  product: 'Mail',
  vulnerabilityName: 'Acme Mail Flaw',
  dateAdded: '2031-02-03',
  shortDescription: 'It allows it.',
  requiredAction: 'Update.',
  dueDate: '2031-02-24',
  knownRansomwareCampaignUse: 'Known',
  notes: '',
  ...more,
})
const catalogue = (vulnerabilities: unknown, more = {}) =>
  JSON.stringify({
    catalogVersion: '2031.02.03',
    count: Array.isArray(vulnerabilities) ? vulnerabilities.length : 0,
    vulnerabilities,
    ...more,
  })

test('a catalogue is read whole', () => {
  expect(parseKevCatalogue(catalogue([entry(1)]))).toEqual({
    version: '2031.02.03',
    entries: [
      {
        cveId: 'CVE-2031-0001',
        vendorProject: 'Acme',
        product: 'Mail',
        name: 'Acme Mail Flaw',
        dateAdded: '2031-02-03',
        dueDate: '2031-02-24',
        requiredAction: 'Update.',
        ransomware: true,
      },
    ],
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'a missing ransomware word is unknown',      more: { knownRansomwareCampaignUse: undefined }, want: { ransomware: false } },
  { title: 'an unknown ransomware word is unknown',     more: { knownRansomwareCampaignUse: 'Perhaps' }, want: { ransomware: false } },
  { title: 'a due date may be left out',                more: { dueDate: undefined },                    want: { dueDate: null } },
  { title: 'a due date before the entry is kept',       more: { dueDate: '2030-01-01' },                 want: { dueDate: '2030-01-01' } },
  { title: 'a due date that is none is none',           more: { dueDate: '2031-02-31' },                 want: { dueDate: null } },
  { title: 'a moment is its day',                       more: { dateAdded: '2031-02-03T10:00:00Z' },     want: { dateAdded: '2031-02-03' } },
])('$title', ({ more, want }) => expect(parseKevCatalogue(catalogue([entry(1, more)])).entries[0]).toMatchObject(want))

// biome-ignore format: one case per line
describe('a catalogue is not believed', () => {
  test.each([
    { title: 'when it is cut off',                  text: catalogue([entry(1), entry(2)]).slice(0, -40),              says: 'no whole JSON' },
    { title: 'when its count is another',           text: catalogue([entry(1)], { count: 1280 }),                     says: '1280 entries and has 1' },
    { title: 'when it is empty',                    text: catalogue([]),                                              says: 'empty' },
    { title: 'when it holds no list',               text: '{"count":0}',                                              says: 'no list' },
    { title: 'when an id is none',                  text: catalogue([entry(1), entry(2, { cveID: 'x' })]),            says: 'entry 2 has no CVE' },
    { title: 'when an entry has no date',           text: catalogue([entry(1, { dateAdded: 'soon' })]),               says: 'entry 1 (CVE-2031-0001) has no date' },
    { title: 'when an entry is no object',          text: catalogue([7]),                                             says: 'entry 1 has no CVE' },
    { title: 'when a CVE stands in it twice',       text: catalogue([entry(1), entry(1)]),                            says: 'twice' },
    { title: 'when it is an answer of a gateway',   text: '<html>',                                                   says: 'no whole JSON' },
    { title: 'when it nests without an end',        text: '['.repeat(10_000),                                         says: 'too deep' },
  ])('$title', ({ text, says }) => expect(() => parseKevCatalogue(text)).toThrow(says))
})

// biome-ignore format: one case per line
test.each([
  { stored: 1400, removed: 14, believed: true },
  { stored: 1400, removed: 15, believed: false },
  { stored: 100,  removed: 5,  believed: true },
  { stored: 100,  removed: 6,  believed: false },
  { stored: 0,    removed: 0,  believed: true },
])('$removed of $stored entries gone at once is believed: $believed', ({ stored, removed, believed }) => {
  const check = () => requireBelievableRemovals(stored, removed)
  if (believed) expect(check).not.toThrow()
  else expect(check).toThrow(`take off ${removed} of ${stored}`)
})
