import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DeclaredKind } from './indicator-type.ts'
import { normalizeIndicator } from './normalize.ts'

/** Pieces that the rules look for, in any order and number. */
const PIECES = [
  ...[
    '.',
    '[.]',
    '(.)',
    '{.}',
    '[dot]',
    '(dot)',
    '\\.',
    '[.',
    '.]',
    '。',
    '．',
    '..',
    '[[.].]',
    ' [.] ',
    '*.',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '\\',
  ],
  ...[
    'http',
    'https',
    'ftp',
    'hxxp',
    'hXXps',
    'fxp',
    'HTTP',
    'h**p',
    'file',
    '://',
    '[:]//',
    '[://]',
    ':[//]',
    ':',
    '[:]',
    '//',
    '/',
    '[/]',
    '?',
    '#',
    '%',
    '%2e',
  ],
  ...['@', '[at]', '[@]', '(at)', 'mailto:', '<', '>', '"', '?subject=x', 'user:pass@', 'user[@]'],
  ...[
    'evil',
    'EVIL',
    'com',
    'co.uk',
    'github.io',
    'example',
    'local',
    'localhost',
    'exe',
    'bücher',
    'xn--bcher-kva',
    'xn--',
    'ß',
    'İ',
    'ﬀ',
    'пример',
    'рф',
    '常',
    '_dmarc',
    '-',
    '--',
    'i2p',
    'onion',
  ],
  ...[
    '1',
    '0',
    '127',
    '192.0.2.1',
    '10.0.0.1',
    '255.255.255.255',
    '0x7f',
    '010',
    '256',
    '１２７',
    '8.8.8.0',
    '/24',
    '/32',
    '/16',
    '/128',
    '/0',
    '|443',
  ],
  ...[
    '::',
    '::1',
    '2001:db8::1',
    '2001:DB8:0:0',
    '::ffff:192.0.2.1',
    'fe80::1',
    'ff02::1',
    '[2001:db8::1]',
    ':443',
    ':80',
    ':0080',
    ':65536',
    ':8080',
  ],
  ...['0cc175b9c0f1b6a831c399e269772661', 'sha256:', 'md5=', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'AbCdEf'],
  ...[' ', '\t', '\n', '\u00a0', '\u200b', '\u200d', '\ufeff', '\u0000', '\u0085', '\ud83d', '😀', '\u0301', '\u202e', '\u00ad'],
]

const WHOLE = [
  'hxxps[:]//www[.]evil[.]com[:]8443/a[.]php?x=[.]#top',
  'http://user:pass@EVIL.com:80/a/../b',
  'http://[2001:DB8::1]:80/x',
  'bob [at] evil [dot] com',
  'Bob <mailto:Bob@evil.com>',
  '*.bücher.example.',
  '192[.]0[.]2[.]1[:]443',
  '2001[:]db8[:][:]1/64',
  'SHA-256: CA978112CA1BBDCAFAC231B39A23DC4DA786EFF8147C4E72B9807785AFEEAB48',
]

const mutated = fc
  .tuple(fc.constantFrom(...WHOLE), fc.nat(60), fc.nat(4), fc.constantFrom('', ...PIECES))
  .map(([text, at, removed, piece]) => text.slice(0, at) + piece + text.slice(at + removed))

const raws = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) => pieces.join('')) },
  { weight: 3, arbitrary: mutated },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', 'http://', 'hxxp://', 'hxxp://evil[.]com/', 'a@'),
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom('', '.com', '/x'),
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map((label) => `${label}.com`) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.emailAddress(),
      fc.domain(),
    ),
  },
)

const kinds = fc.constantFrom<DeclaredKind | undefined>(
  undefined,
  undefined,
  undefined,
  'IP',
  'IP_PORT',
  'IPV4',
  'IPV6',
  'NETWORK',
  'DOMAIN',
  'URL',
  'HASH',
  'EMAIL',
)

it('gives the same type and value for its own answer, declared or not, over 100 000 generated values', { timeout: 60_000 }, () => {
  let acceptedCount = 0
  fc.assert(
    fc.property(raws, kinds, (raw, declared) => {
      const first = normalizeIndicator(raw, declared)
      if (!first.ok) return
      acceptedCount += 1
      const again = [normalizeIndicator(first.value), normalizeIndicator(first.value, first.type)]
      for (const second of again) {
        if (!second.ok || second.value !== first.value || second.type !== first.type) throw new Error(JSON.stringify({ first, second }))
      }
    }),
    { numRuns: 100_000 },
  )
  // A generator that makes nothing acceptable would prove nothing.
  expect(acceptedCount).toBeGreaterThan(5000)
})
