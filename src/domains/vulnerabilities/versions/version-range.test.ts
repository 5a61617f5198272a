import { expect, test } from 'vitest'
import { brokenBound, isInRange, rangeInWords, type VersionRange } from './version-range.ts'

const range = (given: Partial<VersionRange>): VersionRange => ({ version: '*', update: '*', ...given })

// biome-ignore format: one case per line
test.each([
  { title: 'inside both bounds',                                   of: range({ versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' }), version: '2.14.1', want: 'in' },
  { title: 'the included start is inside',                         of: range({ versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' }), version: '2.13', want: 'in' },
  { title: 'the excluded end is outside',                          of: range({ versionEndExcluding: '1.0.1g' }), version: '1.0.1g', want: 'out' },
  { title: 'the included end is inside',                           of: range({ versionEndIncluding: '7.57' }), version: '7.57', want: 'in' },
  { title: 'the excluded start is outside',                        of: range({ versionStartExcluding: '3.0' }), version: '3.0.0', want: 'out' },
  { title: 'a candidate of the fixed release is below it',         of: range({ versionEndExcluding: '5.0' }), version: '5.0-rc1', want: 'in' },
  { title: 'a bound of a dash is no bound',                        of: range({ versionStartIncluding: '-', versionEndExcluding: '2.0' }), version: '0.1', want: 'in' },
  { title: 'escapes in a bound are undone',                        of: range({ versionEndExcluding: '7.3\\(3\\)n1\\(1\\)' }), version: '7.3(2)N1(1)', want: 'in' },
  { title: 'an update continues the end bound',                    of: range({ update: 'p8', versionEndIncluding: '4.2.8' }), version: '4.2.8p8', want: 'in' },
  { title: 'and what is above it is outside',                      of: range({ update: 'p8', versionEndIncluding: '4.2.8' }), version: '4.2.8p9', want: 'out' },
  { title: 'a bound of -0 begins before the candidates',           of: range({ versionStartIncluding: '1.21.0-0' }), version: '1.21.0-rc2', want: 'in' },
  { title: 'and ends before them',                                 of: range({ versionEndExcluding: '1.22.0-0' }), version: '1.22.0-rc2', want: 'out' },
  { title: 'a star without bounds is every version',               of: range({}), version: '99', want: 'in' },
  { title: 'a dash without bounds is every version',               of: range({ version: '-' }), version: '99', want: 'in' },
  { title: 'every version needs no version',                       of: range({ version: '-' }), version: undefined, want: 'in' },
  { title: 'bounds without a version stay open',                   of: range({ versionEndExcluding: '2' }), version: undefined, want: 'unknown' },
  { title: 'a blank version is none',                              of: range({ version: '2' }), version: ' ', want: 'unknown' },
  { title: 'an exact version holds for itself',                    of: range({ version: '5.6.1' }), version: '5.6.1', want: 'in' },
  { title: 'and for no other',                                     of: range({ version: '5.6.1' }), version: '5.6.2', want: 'out' },
  { title: 'an exact version holds with its update',               of: range({ version: '2.0', update: 'rc1' }), version: '2.0-rc1', want: 'in' },
  { title: 'and not without it',                                   of: range({ version: '2.0', update: 'rc1' }), version: '2.0', want: 'out' },
  { title: 'a dash as update is the release itself',               of: range({ version: '2.0', update: '-' }), version: '2.0', want: 'in' },
  { title: 'and none of its candidates',                           of: range({ version: '2.0', update: '-' }), version: '2.0-rc1', want: 'out' },
  { title: 'a star as update is every update',                     of: range({ version: '2016' }), version: '2016 CU15', want: 'in' },
  { title: 'a patch level is an update',                           of: range({ version: '1.9.5' }), version: '1.9.5p1', want: 'in' },
  { title: 'a letter is another version',                          of: range({ version: '1.0.1' }), version: '1.0.1f', want: 'out' },
  { title: 'long words of updates are the short ones',             of: range({ version: '2016', update: 'cumulative_update_15' }), version: '2016 CU15', want: 'in' },
  { title: 'a patch is counted',                                   of: range({ version: '1.9.5', update: 'patch1' }), version: '1.9.5p2', want: 'out' },
  { title: 'an exact version in brackets',                         of: range({ version: '4.0(2a)' }), version: '4.0(2a)', want: 'in' },
])('$title', ({ of, version, want }) => expect(isInRange(of, version)).toBe(want))

// biome-ignore format: one case per line
test.each([
  { of: range({ versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' }), want: 'from 2.13.0 and below 2.15.0' },
  { of: range({ versionStartExcluding: '1', versionEndIncluding: '2' }),           want: 'above 1 and up to 2' },
  { of: range({ update: 'p8', versionEndIncluding: '4.2.8' }),                     want: 'up to 4.2.8 p8' },
  { of: range({ version: '2.0', update: 'rc1' }),                                  want: 'version 2.0 rc1' },
  { of: range({}),                                                                 want: 'all versions' },
])('a range is said as "$want"', ({ of, want }) => expect(rangeInWords(of)).toBe(want))

// biome-ignore format: one case per line
test.each([
  { of: range({ versionStartIncluding: '2.0', versionEndExcluding: '3.0' }), version: '1.9', want: 'it comes before 2.0' },
  { of: range({ versionStartExcluding: '2.0' }),                             version: '2.0', want: 'it is not above 2.0' },
  { of: range({ versionEndIncluding: '2.0' }),                               version: '2.1', want: 'it is above 2.0' },
  { of: range({ versionStartIncluding: '2.0', versionEndExcluding: '3.0' }), version: '3.0', want: 'it is not below 3.0' },
  { of: range({ version: '2.0' }),                                           version: '3.0', want: 'it is not 2.0' },
])('the broken bound is named: $want', ({ of, version, want }) => expect(brokenBound(of, version)).toBe(want))
