import { describe, expect, it } from 'vitest'
import { isPlainName, isRegistrySuffix, normalizeName, parentNames, sharedSuffix } from './domain-name.ts'

const LABEL_63 = 'a'.repeat(63)

describe('normalizeName', () => {
  it.each([
    ['lower case', 'EVIL.Example', 'evil.example'],
    ['one trailing dot', 'evil.example.', 'evil.example'],
    ['underscores at any place', '_dmarc.a_b.evil.example', '_dmarc.a_b.evil.example'],
    ['hyphens at any place', '-a-.evil.example', '-a-.evil.example'],
    ['two hyphens in third place', 'r3---sn.evil.example', 'r3---sn.evil.example'],
    ['U-label', 'bücher.example', 'xn--bcher-kva.example'],
    ['U-label in upper case', 'BÜCHER.example', 'xn--bcher-kva.example'],
    ['A-label in upper case', 'XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['deviation character kept (non-transitional)', 'faß.example', 'xn--fa-hia.example'],
    ['ideographic full stops', 'evil。example｡', 'evil.example'],
    ['full-width letters', 'ｅｖｉｌ.example', 'evil.example'],
    ['internationalised top level', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['a label of 63 characters', `${LABEL_63}.example`, `${LABEL_63}.example`],
    ['hidden service', 'abcdefgh.onion', 'abcdefgh.onion'],
    ['top level with a digit outside the root', 'evil.i2p', 'evil.i2p'],
  ])('%s', (_case, text, expected) => {
    expect(normalizeName(text)).toEqual({ ok: true, name: expected })
    expect(normalizeName(expected)).toEqual({ ok: true, name: expected })
  })

  it.each([
    ['empty', '', 'invalid'],
    ['two trailing dots', 'evil.example..', 'invalid'],
    ['two trailing dots, one of them ideographic', 'evil.example。.', 'invalid'],
    ['empty label', 'evil..example', 'invalid'],
    ['leading dot', '.evil.example', 'invalid'],
    ['a label of 64 characters', `${LABEL_63}a.example`, 'invalid'],
    ['254 characters', `${`${LABEL_63}.`.repeat(3)}${'a'.repeat(54)}.example`, 'too_long'],
    ['hostile length', 'ü'.repeat(5000), 'too_long'],
    ['a blank', 'ev il.example', 'invalid'],
    ['a slash', 'evil.example/x', 'invalid'],
    ['a full-width slash', 'ü.example／x', 'invalid'],
    ['a tab in a name with umlaut', 'ü\t.example', 'invalid'],
    ['a percent sign', 'ü%41.example', 'invalid'],
    ['one label', 'evil', 'single_label'],
    ['one U-label', 'bücher', 'single_label'],
    ['.local', 'printer.local', 'local'],
    ['localhost', 'localhost', 'local'],
    ['.localhost', 'a.localhost.', 'local'],
    ['number at the end', 'evil.123', 'numeric'],
    ['address', '192.0.2.1', 'numeric'],
    ['full-width address', '１９２.0.2.1', 'numeric'],
    ['hexadecimal at the end', 'evil.0x7f', 'numeric'],
    ['digits in the top level', 'evil.c0m', 'invalid'],
    ['one letter as top level', 'evil.c', 'invalid'],
    ['hyphen in the top level', 'evil.ip-ddns', 'invalid'],
  ])('refuses: %s', (_case, text, fault) => {
    expect(normalizeName(text)).toEqual({ ok: false, fault })
  })
})

it('isPlainName knows a name that needs no work', () => {
  expect(['evil.example', 'Evil.example', 'evil.example.', 'evil', '192.0.2.1', 'bücher.example'].map(isPlainName)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

describe('isRegistrySuffix', () => {
  it.each([
    ['co.uk', true],
    ['com.br', true],
    ['kawasaki.jp', true],
    ['city.kawasaki.jp', false],
    ['www.ck', false],
    ['example.com', false],
    ['a.b.c.d.e.f.co.uk', false],
    ['github.io', false],
    ['pages.dev', false],
  ])('%s: %s', (name, expected) => {
    expect(isRegistrySuffix(name)).toBe(expected)
  })
})

describe('sharedSuffix', () => {
  it.each([
    ['evil.github.io', 'github.io'],
    ['evil.co.uk', 'co.uk'],
    ['evil.unheardof', 'unheardof'],
  ])('%s: %s', (name, expected) => {
    expect(sharedSuffix(name)).toBe(expected)
  })
})

describe('parentNames', () => {
  it.each([
    ['nearest first', 'a.b.evil.com', ['b.evil.com', 'evil.com']],
    ['stops at a registry suffix', 'a.evil.co.uk', ['evil.co.uk']],
    ['registered name', 'evil.co.uk', []],
    ['stops at a hosting suffix', 'a.evil.github.io', ['evil.github.io']],
    ['site on a hosting suffix', 'evil.github.io', []],
    ['the hosting suffix itself', 'github.io', []],
    ['unknown top level', 'a.evil.unheardof', ['evil.unheardof']],
  ])('%s', (_case, name, expected) => {
    expect(parentNames(name)).toEqual(expected)
  })
})
