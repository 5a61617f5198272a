import { describe, expect, it } from 'vitest'
import { choiceParam, choicesParam, flagParam, numberParam, readSearch, searchSchema, textParam, writeSearch } from './search-schema.ts'

const parse = searchSchema({
  q: textParam(10),
  severity: choicesParam(['HIGH', 'LOW']),
  type: choiceParam(['IPV4', 'URL']),
  page: numberParam(1, 100),
  active: flagParam(),
})

describe('searchSchema', () => {
  it.each([
    {
      query: '?q=evil&severity=LOW,HIGH&type=URL&page=3&active=true',
      kept: { q: 'evil', severity: ['HIGH', 'LOW'], type: 'URL', page: 3, active: true },
      why: 'every fitting value is read',
    },
    { query: '?severity=HIGH,PURPLE', kept: { severity: ['HIGH'] }, why: 'an unknown word of a list is dropped, the others stay' },
    { query: '?severity=PURPLE&page=2', kept: { page: 2 }, why: 'a list of unknown words is dropped' },
    { query: '?page=0', kept: {}, why: 'a number below its range is dropped' },
    { query: '?page=2.5', kept: {}, why: 'a broken number is dropped' },
    { query: '?page=', kept: {}, why: 'an empty number is not zero' },
    { query: '?q=%20%20', kept: {}, why: 'blank text is no filter' },
    { query: '?q=12345678901', kept: {}, why: 'too long a text is dropped' },
    { query: '?q=123', kept: { q: '123' }, why: 'digits stay text' },
    { query: '?active=false', kept: { active: false }, why: 'false is a value, not an absence' },
    { query: '?active=maybe&other=1', kept: {}, why: 'unknown values and unknown keys are dropped' },
  ])('$why', ({ query, kept }) => {
    expect(parse(readSearch(query))).toEqual(kept)
  })

  it('reads its own answer again without change, as the router does at every navigation', () => {
    const once = parse(readSearch('?q=evil&severity=HIGH,LOW&page=3&active=false'))
    expect(parse(once)).toEqual(once)
    expect(parse(readSearch(writeSearch(once)))).toEqual(once)
  })
})

describe('writeSearch', () => {
  it('leaves out what is absent and keeps lists readable', () => {
    expect(writeSearch({ q: undefined, severity: ['HIGH', 'LOW'], page: 2, empty: [], none: null })).toBe('?severity=HIGH,LOW&page=2')
  })
  it('escapes what would end a parameter', () => {
    expect(readSearch(writeSearch({ q: 'a&b=c#d e+f' }))).toEqual({ q: 'a&b=c#d e+f' })
  })
  it('writes nothing at all without values', () => {
    expect(writeSearch({})).toBe('')
  })
})
