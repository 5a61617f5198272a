import { expect, test } from 'vitest'
import { toComparableVersion } from './comparable-version.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'an update behind an underscore',      product: 'jre',      version: '1.8.0_112', want: '1.8.0 u112' },
  { title: 'without its zero',                    product: 'jdk',      version: '1.7_80',    want: '1.7 u80' },
  { title: 'the short form',                      product: 'openjdk',  version: '8u112',     want: '1.8.0 u112' },
  { title: 'a version since 9 has one form',      product: 'jdk',      version: '17.0.1',    want: '17.0.1' },
  { title: 'other products keep theirs',          product: 'vcenter',  version: '7u3',       want: '7u3' },
  { title: 'none stays none',                     product: 'jdk',      version: undefined,   want: undefined },
])('Java: $title', ({ product, version, want }) => expect(toComparableVersion(product, version)).toBe(want))
