import { describe, expect, it } from 'vitest'
import { filterSettings } from './settings.search.ts'

const SETTINGS = [
  { setting: 'SECRET_KEY', value: null, present: true, secret: true, about: 'Signs access tokens.' },
  { setting: 'REDIS_PASSWORD', value: null, present: false, secret: true, about: 'Password of the store.' },
  { setting: 'PORT', value: '8000', present: true, secret: false, about: 'Where the API listens.' },
]

describe('filterSettings', () => {
  it.each([
    { search: {}, names: ['SECRET_KEY', 'REDIS_PASSWORD', 'PORT'], why: 'all without a filter' },
    { search: { q: 'listens' }, names: ['PORT'], why: 'words of the meaning' },
    { search: { q: 'port' }, names: ['PORT'], why: 'the name in any case' },
    { search: { show: 'secret' as const }, names: ['SECRET_KEY', 'REDIS_PASSWORD'], why: 'secrets' },
    { search: { show: 'unset' as const }, names: ['REDIS_PASSWORD'], why: 'what is not set' },
    { search: { show: 'set' as const, q: 'key' }, names: ['SECRET_KEY'], why: 'both filters together' },
  ])('$why', ({ search, names }) => {
    expect(filterSettings(SETTINGS, search).map(({ setting }) => setting)).toEqual(names)
  })
})
