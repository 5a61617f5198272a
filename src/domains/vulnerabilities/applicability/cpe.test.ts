import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutProductName, isCpe, isUnstated, productName, productNameOf, tryParseCpe } from './cpe.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'a plain name is cut at its colons', text: 'cpe:2.3:a:acme:mail_server:4.2:p8:*:*:pro:windows:x64:*', want: { part: 'a', vendor: 'acme', product: 'mail_server', version: '4.2', update: 'p8', swEdition: 'pro', targetSw: 'windows' } },
  { title: 'an escaped colon belongs to the value',  text: 'cpe:2.3:a:perl:acme\\:\\:mail:1.0:*:*:*:*:perl:*:*', want: { part: 'a', vendor: 'perl', product: 'acme::mail', version: '1.0', update: '*', swEdition: '*', targetSw: 'perl' } },
  { title: 'escaped brackets are undone',            text: 'cpe:2.3:o:acme:ros:12.2\\(33\\)sxi:*:*:*:*:*:*:*', want: { part: 'o', vendor: 'acme', product: 'ros', version: '12.2(33)sxi', update: '*', swEdition: '*', targetSw: '*' } },
  { title: 'case does not count',                    text: 'CPE:2.3:H:Acme:Router:-:*:*:*:*:*:*:*', want: { part: 'h', vendor: 'acme', product: 'router', version: '-', update: '*', swEdition: '*', targetSw: '*' } },
  { title: 'an empty value says any',                text: 'cpe:2.3:a:acme:mail::::::::', want: { part: 'a', vendor: 'acme', product: 'mail', version: '*', update: '*', swEdition: '*', targetSw: '*' } },
])('$title', ({ text, want }) => expect([tryParseCpe(text), isCpe(text)]).toEqual([want, true]))

// biome-ignore format: one case per line
test.each([
  { title: 'the older URI form',       text: 'cpe:/a:acme:mail:1.0' },
  { title: 'too few values',           text: 'cpe:2.3:a:acme:mail:1.0:*:*:*:*:*:*' },
  { title: 'too many values',          text: 'cpe:2.3:a:acme:mail:1.0:*:*:*:*:*:*:*:*' },
  { title: 'an unknown part',          text: 'cpe:2.3:x:acme:mail:1.0:*:*:*:*:*:*:*' },
  { title: 'a name without a product', text: 'cpe:2.3:a:acme::1.0:*:*:*:*:*:*:*' },
  { title: 'a name that never ends',   text: `cpe:2.3:a:acme:${'a'.repeat(2000)}:1.0:*:*:*:*:*:*:*` },
  { title: 'other text',               text: 'acme mail 1.0' },
])('$title is no CPE 2.3 name', ({ text }) => expect([tryParseCpe(text), isCpe(text)]).toEqual([undefined, false]))

test('any text is read or refused, never thrown at', () => {
  fc.assert(fc.property(fc.string(), (text) => void tryParseCpe(`cpe:2.3:${text}`)))
})

test('what can be read is a name, and nothing else', () => {
  const values = fc.array(fc.constantFrom('a', 'Acme', '*', '-', '', '\\:', '\\', '\n', 'é', ':'), { minLength: 9, maxLength: 13 })
  fc.assert(
    fc.property(fc.constantFrom('a', 'H', 'x'), values, (part, rest) => {
      const text = `cpe:2.3:${[part, ...rest].join(':')}`
      expect(isCpe(text)).toBe(tryParseCpe(text) !== undefined)
    }),
    { numRuns: 1000 },
  )
})

// biome-ignore format: one case per line
test.each([
  { title: 'as it stands',                       text: 'cpe:2.3:a:acme:mail_server:4.2:*:*:*:*:*:*:*',       want: 'acme:mail_server' },
  { title: 'in lower case',                      text: 'CPE:2.3:H:Acme:Router:-:*:*:*:*:*:*:*',              want: 'acme:router' },
  { title: 'without escapes that it does not need', text: 'cpe:2.3:a:acme:c\\+\\+_mail:1:*:*:*:*:*:*:*',    want: 'acme:c++_mail' },
  { title: 'with the colon of a value',          text: 'cpe:2.3:a:perl:acme\\:\\:mail:1.0:*:*:*:*:*:*:*',   want: 'perl:acme\\:\\:mail' },
  { title: 'whatever is escaped behind it',      text: 'cpe:2.3:o:acme:ros:12.2\\(33\\)sxi:*:*:*:*:*:*:*',  want: 'acme:ros' },
])('the product of a name stands in one text $title', ({ text, want }) => expect(productNameOf(text)).toBe(want))

const VALUE = fc.array(fc.constantFrom('a', 'é', ':', '\\', '\n', '*'), { maxLength: 5 }).map((letters) => letters.join(''))

test('vendor and product are cut out of one text as they were put in, so that no two products share one', () => {
  fc.assert(
    fc.property(VALUE, VALUE, (vendor, product) => {
      expect(cutProductName(productName({ vendor, product }))).toEqual({ vendor, product })
    }),
  )
})

test('the product of a name is what is read of it', () => {
  const values = fc.array(fc.constantFrom('a', 'Acme', '*', '\\:', '\\\\', '\\+', 'é'), { minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(values, (rest) => {
      const text = `cpe:2.3:a:${rest.join(':')}`
      const cpe = tryParseCpe(text)
      expect(productNameOf(text)).toBe(cpe && productName(cpe))
    }),
  )
})

test('a star and a dash state nothing', () => {
  expect(['*', '-', '1', ''].map(isUnstated)).toEqual([true, true, false, false])
})
