import { describe, expect, it } from 'vitest'
import { classify, countByType, refang } from './classify.ts'

describe('classify', () => {
  it.each([
    ['198.51.100.7', 'IPV4'],
    ['198.51.100[.]7', 'IPV4'],
    [' 198(.)51(.)100(.)7 ', 'IPV4'],
    ['2001:db8::1', 'IPV6'],
    ['::ffff:198.51.100.7', 'IPV6'],
    ['203.0.113.0/24', 'NETWORK'],
    ['2001:db8::/32', 'NETWORK'],
    ['203.0.113.1 - 203.0.113.9', 'NETWORK'],
    ['evil.example', 'DOMAIN'],
    ['evil[.]example', 'DOMAIN'],
    ['evil[dot]example', 'DOMAIN'],
    ['evil\\.example', 'DOMAIN'],
    ['_dmarc.evil.example', 'DOMAIN'],
    ['bücher.example', 'DOMAIN'],
    ['hxxps://evil[.]example/a?b=c', 'URL'],
    ['hxxp[:]//evil.example/a', 'URL'],
    ['hxxp[://]evil.example/a', 'URL'],
    ['ftp://evil.example', 'URL'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'HASH'],
    ['MD5: d41d8cd98f00b204e9800998ecf8427e', 'HASH'],
    ['sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'HASH'],
    ['bob@evil.example', 'EMAIL'],
    ['bob[@]evil[.]example', 'EMAIL'],
    ['bob[at]evil[dot]example', 'EMAIL'],
  ])('takes %s for %s', (text, type) => {
    expect(classify(text)).toBe(type)
  })

  it.each([
    '',
    '   ',
    'localhost',
    '198.51.100.256',
    '198.51.100',
    '203.0.113.0/33',
    'abcdef0123',
    'two words',
    'a..b',
    '1.2.3.4:80',
    'e.g.',
  ])('recognises nothing in %j', (text) => {
    expect(classify(text)).toBeUndefined()
  })

  it('looks at no text that is longer than the API accepts', () => {
    expect(classify(`https://evil.example/${'a'.repeat(9000)}`)).toBeUndefined()
  })
})

describe('refang', () => {
  it('leaves a plain value as it is', () => {
    expect(refang('https://evil.example/a[1]')).toBe('https://evil.example/a[1]')
  })
})

describe('countByType', () => {
  it('counts each type, and what was not recognised', () => {
    const counts = countByType(['evil.example', 'b.example', '198.51.100.7', 'nothing'])
    expect([...counts]).toEqual([
      ['DOMAIN', 2],
      ['IPV4', 1],
      [undefined, 1],
    ])
  })
})
