import { describe, expect, it } from 'vitest'
import { readParserText, settingFlag, settingText, tryParserText, withFlag, withSetting, writeParserText } from './parser-text.ts'

describe('readParserText', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['{"header":"none"}', { header: 'none' }],
  ])('reads %j', (text, settings) => {
    expect(readParserText(text)).toEqual(settings)
  })
  it.each(['{', '[1]', '"x"', 'null'])('refuses %j', (text) => {
    expect(() => readParserText(text)).toThrow(SyntaxError)
    expect(tryParserText(text)).toBeUndefined()
  })
  it('reads what it wrote', () => {
    const settings = { delimiter: ';', value: 2 }
    expect(readParserText(writeParserText(settings))).toEqual(settings)
    expect(writeParserText({})).toBe('')
  })
})

describe('settingText', () => {
  it.each([
    ['a column number', { value: 4 }, 'value', '4'],
    ['comment prefixes', { comment: ['#', ';'] }, 'comment', '# ;'],
    ['an absent setting', {}, 'value', ''],
    ['several columns, which need the JSON text', { value: ['a', 'b'] }, 'value', undefined],
  ])('shows %s', (_what, settings, name, text) => {
    expect(settingText(settings, name)).toBe(text)
  })
})

describe('withSetting', () => {
  it.each([
    ['digits as a column number', 'value', '4', { header: 'none', value: 4 }],
    ['a name as it is', 'value', 'ioc_value', { header: 'none', value: 'ioc_value' }],
    ['prefixes as a list', 'comment', '# //', { header: 'none', comment: ['#', '//'] }],
    ['nothing as not set', 'header', ' ', {}],
  ])('writes %s', (_what, name, typed, settings) => {
    expect(withSetting({ header: 'none' }, name, typed)).toEqual(settings)
  })
})

describe('settingFlag and withFlag', () => {
  it.each([
    [{}, false],
    [{ observables: true }, true],
    [{ observables: false }, false],
    [{ observables: 'yes' }, undefined],
  ])('takes %j for %s', (settings, flag) => {
    expect(settingFlag(settings, 'observables')).toBe(flag)
  })
  it('writes on, and takes off out', () => {
    expect(withFlag({ type: 'IP' }, 'observables', true)).toEqual({ type: 'IP', observables: true })
    expect(withFlag({ type: 'IP', observables: true }, 'observables', false)).toEqual({ type: 'IP' })
  })
})
