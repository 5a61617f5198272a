import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_PATTERN_CHARS, MAX_PATTERN_DEPTH, parsePattern } from './parse-pattern.ts'
import { type Comparison, type Literal, type ObjectPath, type Observation, printPattern, type Qualifier } from './pattern-tree.ts'

const RUNS_OF_TEXT = 50_000

function treeOf(text: string): Observation {
  const parsed = parsePattern(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.pattern
}

const SHA = 'aec070645fe53ee3b3763059376134f058cc337247c978add178b6ccdfb0019f'
const OTHER_SHA = 'bf07a7fbb825fc0aae7bf4a1177b2b31fcf8a3feeaf7092761e18c859ee52a9c'
const MD5 = 'cead3f77f6cda6ec00f57d76c9a6879f'
const account = (id: string, name: string) =>
  `[user-account:account_type = 'unix' AND user-account:user_id = '${id}' AND user-account:account_login = '${name}']`

// The examples of the standard, in its order. Source: STIX 2.1, 9.8. Backslashes are doubled there as the grammar asks.
// biome-ignore format: one case per line
const EXAMPLES: { title: string; pattern: string }[] = [
  { title: 'a file with a hash',                        pattern: `[file:hashes.'SHA-256' = '${SHA}']` },
  { title: 'mail with a matching sender and attachment', pattern: String.raw`[email-message:from_ref.value MATCHES '.+\\@example\\.com$' AND email-message:body_multipart[*].body_raw_ref.name MATCHES '^Final Report.+\\.exe$']` },
  { title: 'a file with a hash and a media type',       pattern: `[file:hashes.'SHA-256' = '${SHA}' AND file:mime_type = 'application/x-pdf']` },
  { title: 'one of two hashes together with a third',   pattern: `[file:hashes.'SHA-256' = '${OTHER_SHA}' OR file:hashes.MD5 = '${MD5}'] AND [file:hashes.'SHA-256' = '${SHA}']` },
  { title: 'a file, and a registry key after it',       pattern: String.raw`([file:hashes.MD5 = '79054025255fb1a26e4bc422aef54eb4'] FOLLOWEDBY [win-registry-key:key = 'HKEY_LOCAL_MACHINE\\foo\\bar']) WITHIN 300 SECONDS` },
  { title: 'three accounts',                            pattern: [account('1007', 'Peter'), account('1008', 'Paul'), account('1009', 'Mary')].join(' AND ') },
  { title: 'a packet capture',                          pattern: String.raw`[artifact:mime_type = 'application/vnd.tcpdump.pcap' AND artifact:payload_bin MATCHES '\\xd4\\xc3\\xb2\\xa1\\x02\\x00\\x04\\x00']` },
  { title: 'a library in a folder',                     pattern: String.raw`[file:name = 'foo.dll' AND file:parent_directory_ref.path = 'C:\\Windows\\System32']` },
  { title: 'an entropy above a number',                 pattern: "[file:extensions.'windows-pebinary-ext'.sections[*].entropy > 7.0]" },
  { title: 'a magic number in hexadecimal',             pattern: "[file:mime_type = 'image/bmp' AND file:magic_number_hex = h'ffd8']" },
  { title: 'traffic to an address',                     pattern: "[network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '203.0.113.33/32']" },
  { title: 'traffic to a name, five times',             pattern: "[network-traffic:dst_ref.type = 'domain-name' AND network-traffic:dst_ref.value = 'example.com'] REPEATS 5 TIMES WITHIN 1800 SECONDS" },
  { title: 'a name that resolves to an address',        pattern: "[domain-name:value = 'www.5z8.info' AND domain-name:resolves_to_refs[*].value = '198.51.100.1/32']" },
  { title: 'one of two URLs',                           pattern: "[url:value = 'http://example.com/foo' OR url:value = 'http://example.com/bar']" },
  { title: 'a certificate',                             pattern: "[x509-certificate:issuer = 'CN=WEBMAIL' AND x509-certificate:serial_number = '4c:0b:1d:19:74:86:a7:66:b4:1a:bf:40:27:21:76:28']" },
  { title: 'one of two registry keys',                  pattern: String.raw`[windows-registry-key:key = 'HKEY_CURRENT_USER\\Software\\CryptoLocker\\Files' OR windows-registry-key:key = 'HKEY_CURRENT_USER\\Software\\Microsoft\\CurrentVersion\\Run\\CryptoLocker_0388']` },
  { title: 'a name or a size, and a date',              pattern: "[(file:name = 'pdf.exe' OR file:size = '371712') AND file:created = t'2014-01-13T07:03:17Z']" },
  { title: 'mail with a sender and a subject',          pattern: "[email-message:sender_ref.value = 'jdoe@example.com' AND email-message:subject = 'Conference Info']" },
  { title: 'an object type of one\'s own',              pattern: "[x-usb-device:usbdrive.serial_number = '575833314133343231313937']" },
  { title: 'two processes, one after the other',        pattern: "[process:command_line MATCHES '^.+>-add GlobalSign.cer -c -s -r localMachine Root$'] FOLLOWEDBY [process:command_line MATCHES'^.+>-add GlobalSign.cer -c -s -r localMachineTrustedPublisher$'] WITHIN 300 SECONDS" },
  { title: 'a range of IPv6 addresses',                 pattern: "[network-traffic:dst_ref.value ISSUBSET '2001:0db8:dead:beef:0000:0000:0000:0000/64']" },
  { title: 'a file with a key, or a process',           pattern: String.raw`([file:name = 'foo.dll'] AND [win-registry-key:key = 'HKEY_LOCAL_MACHINE\\foo\\bar']) OR [process:name = 'fooproc' OR process:name = 'procfoo']` },
  { title: 'a file with an MD5',                        pattern: "[file:hashes.MD5 = 'cead3f77f6cda6ec00f57d76c9a69faa']" },
]

// biome-ignore format: one case per line
const ALSO_VALID: { title: string; pattern: string }[] = [
  { title: 'no blanks at all',                          pattern: "[domain-name:value='evil.example']" },
  { title: 'blanks everywhere, also unusual ones',      pattern: " [\u00a0ipv4-addr:value  =\t'198.51.100.7'\n]\u2003" },
  { title: 'comments of both kinds',                    pattern: "[url:value /* what */ = 'http://evil.example/' // why\n]" },
  { title: 'a set of numbers',                          pattern: '[network-traffic:dst_port IN (443, 6443, -1)]' },
  { title: 'an empty set',                              pattern: '[file:name IN ()]' },
  { title: 'a negated operator',                        pattern: "[ipv4-addr:value NOT ISSUBSET '198.51.100.0/24']" },
  { title: 'the other spellings of = and !=',           pattern: "[file:size == 5 AND file:name <> 'a']" },
  { title: 'a property that is there',                  pattern: '[EXISTS file:name]' },
  { title: 'a truth value',                             pattern: '[x-a:flag = true OR x-a:flag = FALSE]' },
  { title: 'base64',                                    pattern: "[artifact:payload_bin = b'dGVzdA==']" },
  { title: 'a span of time',                            pattern: "[file:size > 1] START t'2026-01-01T00:00:00Z' STOP t'2026-01-02T00:00:00.5Z'" },
  { title: 'the span of time of STIX 2.0',              pattern: "[file:size > 1] START '2026-01-01T00:00:00Z' STOP '2026-01-02T00:00:00Z'" },
  { title: 'the same qualifier again behind parentheses', pattern: '([file:size > 1] WITHIN 5 SECONDS) WITHIN 6.5 SECONDS' },
  { title: 'brackets of one object in parentheses',     pattern: '([(file:size >= 1 AND file:size <= 2)])' },
  { title: 'a key that needs quotes, and an index',     pattern: "[process:extensions.'windows-service-ext'.descriptions[0] = 'x']" },
]

// biome-ignore format: one case per line
const INVALID: { title: string; pattern: string }[] = [
  { title: 'nothing',                                   pattern: '' },
  { title: 'blanks',                                    pattern: ' \n ' },
  { title: 'no brackets',                               pattern: 'file:size = 1280' },
  { title: 'empty brackets',                            pattern: '[]' },
  { title: 'no value',                                  pattern: '[file:size = ]' },
  { title: 'a text without quotes',                     pattern: `[file:hashes.MD5 = ${MD5}]` },
  { title: 'a text in double quotes',                   pattern: '[file:name = "a"]' },
  { title: 'a dot for the colon',                       pattern: '[file.size = 1280]' },
  { title: 'a path without a property',                 pattern: "[file: = 'a']" },
  { title: 'a hyphen in a property without quotes',     pattern: "[file:hashes.SHA-256 = 'a']" },
  { title: 'a regular expression in slashes',           pattern: String.raw`[file:name MATCHES /.*\.dll/]` },
  { title: 'an operator that there is not',             pattern: "[file:name =? 'a']" },
  { title: 'NOT before =, twice',                       pattern: "[file:name NOT NOT = 'a']" },
  { title: 'a set of one text without parentheses',     pattern: "[file:name IN 'a']" },
  { title: 'a set that ends with a comma',              pattern: "[file:name IN ('a',)]" },
  { title: 'LIKE with a number',                        pattern: '[file:name LIKE 5]' },
  { title: 'ISSUBSET with nothing',                     pattern: '[network-traffic:dst_ref.value ISSUBSET ]' },
  { title: 'an order of truth values',                  pattern: '[x-a:flag > true]' },
  { title: 'a qualifier without a number',              pattern: "[file:name = 'a'] WITHIN ]" },
  { title: 'a qualifier with another unit',             pattern: "[file:name = 'a'] WITHIN 5 HOURS" },
  { title: 'a qualifier below nought',                  pattern: "[file:name = 'a'] WITHIN -5 SECONDS" },
  { title: 'no repetition',                             pattern: "[file:name = 'a'] REPEATS 0 TIMES" },
  { title: 'one and a half times',                      pattern: "[file:name = 'a'] REPEATS 1.5 TIMES" },
  { title: 'a small keyword',                           pattern: "[file:name = 'a'] within 2 SECONDS" },
  { title: 'the same qualifier twice',                  pattern: "[file:name = 'a'] WITHIN 5 SECONDS WITHIN 6 SECONDS" },
  { title: 'a start without a stop',                    pattern: "[file:name = 'a'] START t'2026-01-01T00:00:00Z'" },
  { title: 'a moment that there is not',                pattern: "[file:created = t'2026-02-30T00:00:00Z']" },
  { title: 'a moment with another zone',                pattern: "[file:created = t'2026-02-20T00:00:00+01:00']" },
  { title: 'base64 that is none',                       pattern: "[artifact:payload_bin = b'====']" },
  { title: 'half a byte',                               pattern: "[file:magic_number_hex = h'fff']" },
  { title: 'an escape that there is not',               pattern: String.raw`[file:name = 'a\n']` },
  { title: 'a quote that is not escaped',               pattern: "[file:name = 'it's']" },
  { title: 'a text that does not end',                  pattern: "[file:name = 'a]" },
  { title: 'a comment that does not end',               pattern: "[file:name = 'a'] /* " },
  { title: 'a bracket that does not close',             pattern: "[file:name = 'a'" },
  { title: 'a bracket too many',                        pattern: "[file:name = 'a']]" },
  { title: 'AND at the end',                            pattern: "[file:name = 'a'] AND" },
  { title: 'FOLLOWEDBY inside a bracket',               pattern: "[file:name = 'a' FOLLOWEDBY file:name = 'b']" },
  { title: 'a keyword for a property',                  pattern: "[file:AND = 'a']" },
  { title: 'an index that is a word',                   pattern: "[file:a[x] = 'a']" },
  { title: 'a leading nought',                          pattern: '[file:size = 01]' },
]

describe('a pattern', () => {
  test.each(EXAMPLES)('of the standard is read: $title', ({ pattern }) => {
    const tree = treeOf(pattern)
    expect(treeOf(printPattern(tree))).toEqual(tree)
  })

  test('of the standard is in the table, all 23 of them', () => expect(new Set(EXAMPLES.map(({ pattern }) => pattern)).size).toBe(23))

  test.each(ALSO_VALID)('is read: $title', ({ pattern }) => {
    const tree = treeOf(pattern)
    expect(treeOf(printPattern(tree))).toEqual(tree)
  })

  test.each(INVALID)('is refused: $title', ({ pattern }) =>
    expect(parsePattern(pattern)).toMatchObject({ ok: false, code: 'pattern_invalid' }),
  )

  test('that is refused says where', () =>
    expect(parsePattern('[file:size = ]')).toMatchObject({ reason: expect.stringContaining('at character 14: a value was expected') }))

  test('binds AND before OR before FOLLOWEDBY', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `[file:name = '${name}']`)
    expect(treeOf(`${a} OR ${b} AND ${c} FOLLOWEDBY ${d}`)).toEqual(treeOf(`(${a} OR (${b} AND ${c})) FOLLOWEDBY ${d}`))
    expect(treeOf("[x:a = '1' OR x:b = '2' AND x:c = '3']")).toEqual(treeOf("[x:a = '1' OR (x:b = '2' AND x:c = '3')]"))
  })

  test('unescapes quotes and backslashes', () =>
    expect(treeOf(String.raw`[file:name = 'a\'b\\c']`)).toMatchObject({
      comparison: { operands: [{ kind: 'string', text: String.raw`a'b\c` }] },
    }))
})

describe('a hostile pattern', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'too many parentheses round brackets', pattern: `${'('.repeat(90_000)}[file:size > 1]`, code: 'pattern_too_large' },
    { title: 'too many parentheses in a bracket',   pattern: `[${'('.repeat(MAX_PATTERN_DEPTH + 1)}`, code: 'pattern_too_large' },
    { title: 'a path of too many steps',            pattern: `[file:a${'.a'.repeat(30_000)} = 1]`,    code: 'pattern_too_large' },
    { title: 'too many characters',                 pattern: `[file:name = '${'a'.repeat(MAX_PATTERN_CHARS)}']`, code: 'pattern_too_large' },
    { title: 'brackets only',                       pattern: '['.repeat(90_000),                      code: 'pattern_invalid' },
    { title: 'backslashes only',                    pattern: `[file:name = '${'\\'.repeat(90_000)}`,  code: 'pattern_invalid' },
    { title: 'quotes only',                         pattern: "'".repeat(90_000),                      code: 'pattern_invalid' },
    { title: 'digits without end',                  pattern: `[file:size = ${'1.'.repeat(40_000)}]`,  code: 'pattern_invalid' },
    { title: 'openings of comments',                pattern: '/*'.repeat(45_000),                     code: 'pattern_invalid' },
  ])('is refused: $title', ({ pattern, code }) => expect(parsePattern(pattern)).toMatchObject({ ok: false, code }))

  test('nests as deep as is allowed, and is read', () =>
    expect(parsePattern(`${'('.repeat(MAX_PATTERN_DEPTH - 1)}[file:size > 1]${')'.repeat(MAX_PATTERN_DEPTH - 1)}`).ok).toBe(true))

  test('of thousands of alternatives is read without depth', () => {
    const tree = treeOf(`[${Array.from({ length: 3000 }, (_, n) => `url:value = '${n}'`).join(' OR ')}]`)
    expect(tree).toMatchObject({ comparison: { kind: 'or', operands: { length: 3000 } } })
  })

  test('holds a regular expression that would never end, which is never tried', () =>
    expect(parsePattern(`[file:name MATCHES '^(a+)+$' AND file:name = '${'a'.repeat(50_000)}!']`).ok).toBe(true))
})

const NAMES = ['file', 'ipv4-addr', 'x-my-thing', 'network_traffic', 't', 'b']
const typeName = fc.constantFrom(...NAMES)
const key = fc.oneof(fc.constantFrom('value', 'hashes', 'SHA-256', 'AND', 'true'), fc.string())
const path: fc.Arbitrary<ObjectPath> = fc
  .tuple(
    typeName,
    key,
    fc.array(
      fc.oneof(
        key.map((name) => ({ kind: 'key' as const, name })),
        fc.constantFrom('*', '0', '17', '-1').map((index) => ({ kind: 'index' as const, index })),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([type, name, rest]) => ({ type, steps: [{ kind: 'key' as const, name }, ...rest] }))
const text: fc.Arbitrary<Literal> = fc.string().map((value) => ({ kind: 'string', text: value }))
const literal: fc.Arbitrary<Literal> = fc.oneof(
  text,
  fc.integer().map((value): Literal => ({ kind: 'integer', text: String(value) })),
  fc.constantFrom('0.5', '-7.25', '.5', '+1.0').map((value): Literal => ({ kind: 'float', text: value })),
  fc.constantFrom('true', 'false').map((value): Literal => ({ kind: 'boolean', text: value })),
  fc.constantFrom('2026-01-31T12:00:00Z', '2024-02-29T23:59:60.123456Z').map((value): Literal => ({ kind: 'timestamp', text: value })),
  fc.constantFrom('', 'ffD8').map((value): Literal => ({ kind: 'hex', text: value })),
  fc.constantFrom('', 'dGVzdA==').map((value): Literal => ({ kind: 'binary', text: value })),
)
const leaf: fc.Arbitrary<Comparison> = fc.oneof(
  path.map((at): Comparison => ({ kind: 'exists', path: at })),
  fc
    .tuple(path, fc.boolean(), fc.constantFrom('=' as const, '!=' as const), literal)
    .map(([at, negated, operator, value]): Comparison => ({ kind: 'test', path: at, negated, operator, operands: [value] })),
  fc
    .tuple(path, fc.boolean(), fc.constantFrom('LIKE' as const, 'MATCHES' as const, 'ISSUBSET' as const, 'ISSUPERSET' as const), text)
    .map(([at, negated, operator, value]): Comparison => ({ kind: 'test', path: at, negated, operator, operands: [value] })),
  fc
    .tuple(path, fc.boolean(), fc.array(literal, { maxLength: 3 }))
    .map(([at, negated, operands]): Comparison => ({ kind: 'test', path: at, negated, operator: 'IN', operands })),
)
const { comparison } = fc.letrec<{ comparison: Comparison }>((tie) => ({
  comparison: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('comparison'), { minLength: 2, maxLength: 3 }))
      .map(([kind, operands]): Comparison => ({ kind, operands })),
  ),
}))
const qualifier: fc.Arbitrary<Qualifier> = fc.oneof(
  fc.constantFrom('5', '0.5', '1800').map((seconds): Qualifier => ({ kind: 'within', seconds })),
  fc.constantFrom('1', '99').map((times): Qualifier => ({ kind: 'repeats', times })),
  fc.constant<Qualifier>({ kind: 'startstop', start: '2026-01-01T00:00:00Z', stop: '2026-01-01T00:00:01.5Z' }),
)
const { observation } = fc.letrec<{ observation: Observation }>((tie) => ({
  observation: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    comparison.map((inside): Observation => ({ kind: 'observation', comparison: inside })),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const, 'followedby' as const),
        fc.array(tie('observation'), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, operands]): Observation => ({ kind, operands })),
    fc
      .tuple(tie('observation'), fc.uniqueArray(qualifier, { minLength: 1, maxLength: 3, selector: ({ kind }) => kind }))
      .map(([of, qualifiers]): Observation => ({ kind: 'qualified', of, qualifiers })),
  ),
}))

/** Pieces that look like a pattern more often than chance would. */
const piece = fc.constantFrom(
  ...[
    "'",
    '\\',
    "'a'",
    '[',
    ']',
    '(',
    ')',
    '=',
    '!=',
    '<',
    '.',
    ':',
    ',',
    '*',
    ' ',
    '\n',
    '//',
    '/*',
    '*/',
    '-',
    '+',
    '0',
    '7.5',
    "t'",
    "h'",
    "b'",
  ],
  ...[
    'AND',
    'OR',
    'NOT',
    'IN',
    'LIKE',
    'MATCHES',
    'EXISTS',
    'FOLLOWEDBY',
    'WITHIN',
    'SECONDS',
    'REPEATS',
    'TIMES',
    'START',
    'STOP',
    'true',
  ],
  ...['file:name', 'ipv4-addr:value', "[domain-name:value = 'a']", '\u0000', '\ud800', 'ü', '\u2028', '__proto__'],
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')),
)

describe('whatever is given to the parser', () => {
  test('a tree that is printed and read again is the same tree', () => {
    fc.assert(
      fc.property(observation, (tree) => {
        expect(treeOf(printPattern(tree))).toEqual(tree)
      }),
      { numRuns: 2000 },
    )
  })

  test(`nothing makes it throw, ${RUNS_OF_TEXT} texts long`, () => {
    let read = 0
    fc.assert(
      fc.property(anyText, (given) => {
        const parsed = parsePattern(given)
        if (parsed.ok) read++
        else expect(parsed.reason).toMatch(/\.$/)
      }),
      { numRuns: RUNS_OF_TEXT },
    )
    // Otherwise the texts would be too wild to say anything.
    expect(read).toBeGreaterThan(0)
  }, 60_000)
})
