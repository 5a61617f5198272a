import { expect, test } from 'vitest'
import { underEachName } from './own-aliases.ts'

const ALIASES = [
  { vendor: 'acme', product: 'mail_server', name: 'post office' },
  { vendor: 'other', product: 'mta', name: 'post office' },
]

// biome-ignore format: one case per line
test.each([
  { title: 'a name in use stands for each product that has it',  asset: { product: 'Post Office' },                  want: ['Post Office', 'mail_server', 'mta'] },
  { title: 'a vendor narrows it',                                asset: { product: 'Acme Post-Office', vendor: 'Acme Inc.' }, want: ['Acme Post-Office', 'mail_server'] },
  { title: 'a part of the name is none',                         asset: { product: 'post' },                         want: ['post'] },
  { title: 'another vendor is none',                             asset: { product: 'post office', vendor: 'nobody' }, want: ['post office'] },
])('$title', ({ asset, want }) => expect(underEachName(asset, ALIASES).map(({ product }) => product)).toEqual(want))

test('version and platform stay with the asset', () => {
  expect(underEachName({ product: 'post office', vendor: 'acme', version: '1.0', platform: 'Debian 12' }, ALIASES)[1]).toEqual({
    product: 'mail_server',
    vendor: 'acme',
    version: '1.0',
    platform: 'Debian 12',
  })
})
