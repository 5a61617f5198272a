import { expect, it } from 'vitest'
import type { IndicatorType } from '../api/indicators.ts'
import { classify, refang } from '../screens/iocs/classify.ts'
import { defang, defangAny } from './defang.ts'

const CASES: [IndicatorType, string, string][] = [
  ['IPV4', '198.51.100.7', '198[.]51[.]100[.]7'],
  ['IPV6', '2001:db8::1', '2001[:]db8[:][:]1'],
  ['NETWORK', '203.0.113.0/24', '203[.]0[.]113[.]0/24'],
  ['DOMAIN', 'a.evil.example', 'a[.]evil[.]example'],
  ['URL', 'https://evil.example/a.php?b=1.2', 'hxxps://evil[.]example/a.php?b=1.2'],
  ['EMAIL', 'bob@evil.example', 'bob[@]evil[.]example'],
  ['HASH', 'd41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e'],
]

it.each(CASES)('defangs %s %s as %s, which reads back as it was', (type, value, defanged) => {
  expect(defang(type, value)).toBe(defanged)
  expect(defangAny(value)).toBe(defanged)
  expect(refang(defanged)).toBe(value)
  expect(classify(defanged)).toBe(type)
})
