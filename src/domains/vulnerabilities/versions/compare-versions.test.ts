import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions } from './compare-versions.ts'

// biome-ignore format: one case per line
describe('equal versions', () => {
  test.each([
    { title: 'missing numbers are zero',                      first: '2.0',              second: '2.0.0' },
    { title: 'leading zeros of a number do not count',        first: '1.02',             second: '1.2' },
    { title: 'a leading v does not count',                    first: 'v1.2.3',           second: '1.2.3' },
    { title: 'the word version does not count',               first: 'Version 1.2.3',    second: '1.2.3' },
    { title: 'an epoch does not count',                       first: '1:2.3',            second: '2.3' },
    { title: 'CPE escapes are undone',                        first: '7.3\\(3\\)n1\\(1\\)', second: '7.3(3)N1(1)' },
    { title: 'Final is the release itself',                   first: '4.1.0.Final',      second: '4.1' },
    { title: 'GA is the release itself',                      first: '5.3-GA',           second: '5.3' },
    { title: 'LTS and ESR are marks of the release',          first: '78.3 ESR',         second: '78.3' },
    { title: 'a cumulative update has a short name',          first: '2016 cumulative_update_15', second: '2016 CU15' },
    { title: 'and may be written as people do',               first: '2016 Cumulative Update 15', second: '2016 CU15' },
    { title: 'a service pack has a short name',               first: '2008 service_pack_2', second: '2008 SP2' },
    { title: 'patch and p are one word',                      first: '1.9.5 patch1',     second: '1.9.5p1' },
    { title: 'patch level and pl too',                        first: '5.6 pl3',          second: '5.6 patch level 3' },
    { title: 'update and u are one word',                     first: '7.0 update_3',     second: '7.0u3' },
    { title: 'hotfix and hf are one word',                    first: '12.1 hotfix 2',    second: '12.1-HF2' },
    { title: 'preview and pre are one stage',                 first: '3.0-preview.2',    second: '3.0-pre2' },
    { title: 'zeros before a word do not count',              first: '2.0.0-rc1',        second: '2.0-rc1' },
    { title: 'CR is a candidate',                             first: '4.0.0.CR2',        second: '4.0.0-rc2' },
    { title: 'a lone dash says nothing',                      first: '2.0 -',            second: '2.0' },
  ])('$title: $first = $second', ({ first, second }) => {
    expect(compareVersions(first, second)).toBe(0)
    expect(compareVersions(second, first)).toBe(0)
  })
})

// biome-ignore format: one case per line
describe('ordered versions', () => {
  test.each([
    { title: 'numbers compare as numbers',                    lower: '1.9.0',            higher: '1.10.0' },
    { title: 'numbers longer than any integer too',           lower: '1.99999999999999999999', higher: '1.100000000000000000000' },
    { title: 'a further number above zero is later',          lower: '2.0',              higher: '2.0.0.1' },
    { title: 'a letter is a later patch',                     lower: '1.0.2',            higher: '1.0.2k' },
    { title: 'letters follow the alphabet',                   lower: '1.0.1f',           higher: '1.0.1g' },
    { title: 'z comes before za',                             lower: '0.9.8z',           higher: '0.9.8za' },
    { title: 'two letters follow the alphabet',               lower: '1.0.2zg',          higher: '1.0.2zh' },
    { title: 'an older branch stays older whatever its letters', lower: '1.0.2zg',       higher: '1.1.1' },
    { title: 'a lone letter comes before the next number',    lower: '1.0.2k',           higher: '1.0.3' },
    { title: 'a letter comes before a further number',        lower: '1.0k',             higher: '1.0.5' },
    { title: 'dev comes before alpha',                        lower: '1.0-dev9',         higher: '1.0-alpha1' },
    { title: 'alpha comes before beta',                       lower: '2.0-alpha1',       higher: '2.0-beta9' },
    { title: 'beta comes before a milestone',                 lower: '2.0-beta9',        higher: '2.0-milestone1' },
    { title: 'a milestone comes before a preview',            lower: '2.0-milestone3',   higher: '2.0-preview1' },
    { title: 'a preview comes before a candidate',            lower: '2.0-preview3',     higher: '2.0-rc1' },
    { title: 'a candidate comes before its release',          lower: '2.0-rc3',          higher: '2.0' },
    { title: 'candidates are counted',                        lower: '2.0-rc2',          higher: '2.0-rc10' },
    { title: 'a candidate of a dotted zero comes before it',  lower: '2.0-rc1',          higher: '2.0.0' },
    { title: 'M1 behind a dot is a milestone',                lower: '9.0.0.M1',         higher: '9.0.0' },
    { title: 'a1 behind a digit is an alpha',                 lower: '1.0a1',            higher: '1.0' },
    { title: 'b2 behind a digit is a beta',                   lower: '1.0b2',            higher: '1.0' },
    { title: 'an alpha comes before a beta in letters too',   lower: '1.0a9',            higher: '1.0b1' },
    { title: 'patch levels are counted',                      lower: '4.2.8p9',          higher: '4.2.8p15' },
    { title: 'a patch comes after its release',               lower: '1.9.5',            higher: '1.9.5p1' },
    { title: 'a Cisco rebuild comes after its train',         lower: '12.2(33)SXI',      higher: '12.2(33)SXI4' },
    { title: 'the number in brackets decides before the train', lower: '12.2(33)SXI4',   higher: '12.2(55)SE' },
    { title: 'the M of a Cisco train is no milestone',        lower: '15.1(4)M',         higher: '15.1(4)M10' },
    { title: 'a letter in brackets is a rebuild',             lower: '4.0(2)',           higher: '4.0(2a)' },
    { title: 'builds behind a dash are numbers',              lower: '13.0-91.13',       higher: '13.0-92.19' },
    { title: 'dates are numbers',                             lower: '2019-12-31',       higher: '2020-01-02' },
    { title: 'cumulative updates are counted',                lower: '2016 CU9',         higher: '2016 CU15' },
    { title: 'a release comes before its service pack',       lower: '2008',             higher: '2008 SP1' },
    { title: 'four numbers compare to the last',              lower: '9.8.2.17',         higher: '9.8.2.20' },
    { title: 'a packaged build lies between two patches',     lower: '1.1.1k',           higher: '1.1.1k-1+deb11u1' },
    { title: 'and below the next patch',                      lower: '1.1.1k-1+deb11u1', higher: '1.1.1l' },
    { title: 'dev comes before its release',                  lower: '1.0.0-dev1',       higher: '1.0.0' },
    { title: 'a snapshot comes before its release',           lower: '1.5-SNAPSHOT',     higher: '1.5' },
    { title: 'Java updates are counted',                      lower: '1.8 u112',         higher: '1.8 u121' },
  ])('$title: $lower < $higher', ({ lower, higher }) => {
    expect(compareVersions(lower, higher)).toBeLessThan(0)
    expect(compareVersions(higher, lower)).toBeGreaterThan(0)
  })
})

const pieces = fc.array(
  fc.oneof(fc.constantFrom('0', '1', '2', '10', 'a', 'b', 'k', 'm', 'p', 'rc', 'beta', 'dev', 'final', 'sp', 'za'), fc.string()),
  {
    maxLength: 6,
  },
)
const versions = fc.tuple(pieces, fc.constantFrom('.', '-', '', ' ')).map(([list, separator]) => list.join(separator))

test('it is one order: turning the question turns the answer, and what is between stays between', () => {
  fc.assert(
    fc.property(versions, versions, versions, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0)
      expect(compareVersions(a, a)).toBe(0)
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 3000 },
  )
})
