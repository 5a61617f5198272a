import { expect, it } from 'vitest'
import { isMadeUp } from './feeds.ts'

it.each([
  ['https://lists.example.org/harbour.txt', true],
  ['https://LISTS.example.org/harbour.txt', true],
  ['https://lists.example.org.feeds.test/harbour.txt', false],
  ['https://feeds.test/?from=lists.example.org', false],
  ['no address', false],
])('%s is made up: %s', (url, expected) => expect(isMadeUp({ url })).toBe(expected))
