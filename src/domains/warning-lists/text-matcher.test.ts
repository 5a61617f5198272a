import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTextMatcher } from './text-matcher.ts'

const SUBSTRINGS = { id: 'parts', type: 'SUBSTRING' as const, applies_to: ['EMAIL', 'DOMAIN'] as const }

describe('parts of a text', () => {
  test('are found wherever they stand, exactly when they are there', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '@'), minLength: 4, maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '@'), maxLength: 24 }),
        (entries, text) => {
          const [found] = createTextMatcher([{ ...SUBSTRINGS, entries }])('EMAIL', text)
          expect(found !== undefined).toBe(entries.some((entry) => text.includes(entry)))
          if (found !== undefined) expect([entries.includes(found.entry), text.includes(found.entry)]).toEqual([true, true])
        },
      ),
    )
  })

  test('ignore case, and say nothing of kinds that the list does not speak of', () => {
    const matcher = createTextMatcher([{ ...SUBSTRINGS, entries: ['@mailbox'] }])
    expect(matcher('EMAIL', 'A@MailBox.example')).toEqual([{ list_id: 'parts', match: 'substring', entry: '@mailbox' }])
    expect(matcher('URL', 'http://a@mailbox.example/')).toEqual([])
  })

  test('of which thousands begin alike are still found', () => {
    const entries = Array.from({ length: 20_000 }, (_, n) => `www.${n}.`)
    expect(createTextMatcher([{ ...SUBSTRINGS, entries }])('DOMAIN', 'x.www.19999.example')).toMatchObject([{ entry: 'www.19999.' }])
  })
})

test('patterns tell which of them fits, and lists do so each for itself', () => {
  const matcher = createTextMatcher([
    { id: 'patterns', type: 'REGEX', applies_to: ['DOMAIN'], entries: ['^a\\d', '^ns\\d+\\.'] },
    { ...SUBSTRINGS, entries: ['.example.'] },
  ])
  expect(matcher('DOMAIN', 'ns7.example.org')).toEqual([
    { list_id: 'patterns', match: 'pattern', entry: '^ns\\d+\\.' },
    { list_id: 'parts', match: 'substring', entry: '.example.' },
  ])
  expect(matcher('DOMAIN', 'mail.org')).toEqual([])
})
