import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileLinearPattern, MAX_PATTERN_CHARS } from './linear-pattern.ts'

// biome-ignore format: one case per line
const CASES: { pattern: string; text: string; want: boolean }[] = [
  { pattern: 'evil',                 text: 'www.evil.example',       want: true },
  { pattern: 'evil',                 text: 'www.good.example',       want: false },
  { pattern: '^www\\.',              text: 'www.evil.example',       want: true },
  { pattern: '^www\\.',              text: 'a.www.evil.example',     want: false },
  { pattern: '\\.ru$',               text: 'evil.ru',                want: true },
  { pattern: '\\.ru$',               text: 'evil.ru.example',        want: false },
  { pattern: '^$',                   text: '',                       want: true },
  { pattern: '^$',                   text: 'x',                      want: false },
  { pattern: 'EVIL',                 text: 'evil',                   want: true },
  { pattern: '[A-Z]{3}',             text: '1abc',                   want: true },
  { pattern: '^[^A-Z]+$',            text: 'abc',                    want: false },
  { pattern: '\\d{1,3}(\\.\\d{1,3}){3}', text: 'at 192.0.2.10 now',  want: true },
  { pattern: '^\\d{4}$',             text: '123',                    want: false },
  { pattern: '^\\d{2,}$',            text: '12345',                  want: true },
  { pattern: 'a|b|c',                text: 'xxc',                    want: true },
  { pattern: '(?:foo|bar)+baz',      text: 'foobarfoobaz',           want: true },
  { pattern: '(foo|bar)*$',          text: 'nothing',                want: true },
  { pattern: 'colou?r',              text: 'the color',              want: true },
  { pattern: 'a.c',                  text: 'abc',                    want: true },
  { pattern: 'a.c',                  text: 'a\nc',                   want: false },
  { pattern: '[a\\-z]',              text: '-',                      want: true },
  { pattern: '[-a]',                 text: '-',                      want: true },
  { pattern: '[\\d.]+$',             text: 'v1.2',                   want: true },
  { pattern: '\\x41',                text: 'a',                      want: true },
  { pattern: '\\u00e9',              text: 'caf\u00e9',              want: true },
  { pattern: '\u00c9',               text: 'caf\u00e9',              want: true },
  { pattern: '^.*?\\.exe$',          text: 'a.b.exe',                want: true },
  { pattern: '\\s',                  text: 'a\u00a0b',               want: true },
  { pattern: 'a{0}b',                text: 'b',                      want: true },
  { pattern: '{x}',                  text: '{x}',                    want: true },
  { pattern: '(a*)*b',               text: 'aaaab',                  want: true },
  { pattern: '^(a|aa)+$',            text: 'aaaaaaaaaaaaaaaaaaaab',  want: false },
]
test.each(CASES)('/$pattern/ on "$text" is $want', ({ pattern, text, want }) => {
  expect(compileLinearPattern(pattern).matches(text)).toBe(want)
  // The built-in engine agrees, so the meaning is the one people know.
  expect(new RegExp(pattern, 'i').test(text)).toBe(want)
})

test('random patterns of the supported kind mean what the built-in engine means', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(a|b)', '(ab)', '(?:a|)', '^', '$')
  const piece = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}'))
    .map(([one, times]) => (one === '^' || one === '$' ? one : one + times))
  const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
  const either = fc.array(pattern, { minLength: 1, maxLength: 3 }).map((options) => options.join('|'))
  const text = fc.array(fc.constantFrom('a', 'b', '1', 'B'), { maxLength: 8 }).map((chars) => chars.join(''))
  fc.assert(
    fc.property(either, text, (source, subject) => compileLinearPattern(source).matches(subject) === new RegExp(source, 'i').test(subject)),
    { numRuns: 2000 },
  )
})

// biome-ignore format: one case per line
test.each([
  { title: 'an empty pattern',             pattern: '',                              want: /empty/ },
  { title: 'a pattern that is too long',   pattern: 'a'.repeat(MAX_PATTERN_CHARS + 1), want: /longer/ },
  { title: 'a group that does not close',  pattern: '(a',                            want: /without its \)/ },
  { title: 'a group that does not open',   pattern: 'a)',                            want: /without its \(/ },
  { title: 'a class that does not close',  pattern: '[a',                            want: /without its \]/ },
  { title: 'a look ahead',                 pattern: 'a(?=b)',                        want: /looking ahead/ },
  { title: 'a look behind',                pattern: '(?<!a)b',                       want: /looking ahead/ },
  { title: 'a named group',                pattern: '(?<n>a)',                       want: /named groups/ },
  { title: 'a back-reference',             pattern: '(a)\\1',                        want: /not supported/ },
  { title: 'a word border',                pattern: '\\ba',                          want: /not supported/ },
  { title: 'a repeat of nothing',          pattern: '*a',                            want: /nothing/ },
  { title: 'a repeat of a repeat',         pattern: 'a**',                           want: /two repeats/ },
  { title: 'a repeated border',            pattern: '^*',                            want: /cannot be repeated/ },
  { title: 'a repeat counted backwards',   pattern: 'a{3,2}',                        want: /ends before/ },
  { title: 'a repeat counted too far',     pattern: 'a{9999}',                       want: /beyond/ },
  { title: 'counted repeats in each other', pattern: '((a{50}){50}){50}',            want: /too many/ },
  { title: 'a range backwards',            pattern: '[z-a]',                         want: /ends before/ },
  { title: 'a lone backslash',             pattern: 'a\\',                           want: /backslash/ },
])('$title is refused', ({ pattern, want }) => expect(() => compileLinearPattern(pattern)).toThrow(want))

describe('patterns that make a backtracking engine run for ages end', () => {
  const LONG = 65_536
  // biome-ignore format: one case per line
  test.each([
    { pattern: '(a+)+$',                text: `${'a'.repeat(LONG)}!`, want: false },
    { pattern: '(a|aa)+$',              text: `${'a'.repeat(LONG)}!`, want: false },
    { pattern: '(a|a?)+$',              text: `${'a'.repeat(LONG)}!`, want: true },
    { pattern: '(.*)*x',                text: 'a'.repeat(LONG), want: false },
    { pattern: '.*.*.*.*x',             text: 'a'.repeat(LONG), want: false },
    { pattern: 'a*b',                   text: 'a'.repeat(LONG), want: false },
    { pattern: '(\\w+\\s?)*$',          text: `${'word '.repeat(LONG / 5)}!`, want: true },
    { pattern: '([a-z]+\\.)+ru$',       text: 'a.'.repeat(LONG / 2), want: false },
    { pattern: '(a|b)*a(a|b){12}c',     text: 'abaabbab'.repeat(LONG / 8), want: false },
    { pattern: '([^x]*x){20}y',         text: 'ax'.repeat(LONG / 2), want: false },
  ])('/$pattern/', ({ pattern, text, want }) => expect(compileLinearPattern(pattern).matches(text)).toBe(want))
})
