import { expect, test } from 'vitest'
import { accountKey, canonicalName } from './login-limiter-keys.ts'

test.each([
  { title: 'upper case', name: 'ANALYST' },
  { title: 'blanks around it', name: '  analyst\t' },
  { title: 'blanks of other scripts inside', name: 'ana\u00a0ly\u3000st\u2028' },
  { title: 'full-width letters', name: '\uff41\uff4e\uff41\uff4c\uff59\uff53\uff54' },
  { title: 'mathematical letters', name: '\u{1d41a}nalyst' },
  { title: 'trailing dots', name: 'analyst...' },
  { title: 'a full-width trailing dot', name: 'analyst\uff0e' },
  { title: 'dots with blanks between', name: 'analyst. .' },
  { title: 'NUL and other control characters', name: 'ana\u0000ly\u0007st\u0085' },
  { title: 'zero-width characters', name: 'ana\u200blyst\u200d\ufeff' },
  { title: 'soft hyphen and direction marks', name: 'ana\u00adlyst\u202e' },
  { title: 'a combining grapheme joiner and a variation selector', name: 'ana\u034flyst\ufe0f' },
  { title: 'the long s', name: 'analy\u017ft' },
])('$title: the same account', ({ name }) => {
  expect(canonicalName(name)).toBe('analyst')
  expect(accountKey(name)).toBe(accountKey('analyst'))
})

test.each(['analyst2', 'analys', '.analyst', 'ana.lyst', 'analyst-', 'анalyst'])('%s is another account', (name) => {
  expect(accountKey(name)).not.toBe(accountKey('analyst'))
})

test('the key does not show the name', () => {
  expect(accountKey('analyst')).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
