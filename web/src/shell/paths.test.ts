import { describe, expect, it } from 'vitest'
import { safeReturnPath } from './paths.ts'

describe('safeReturnPath', () => {
  it.each([
    { wished: '/iocs?severity=HIGH#top', path: '/iocs?severity=HIGH#top', why: 'a place of this site is kept with its filters' },
    { wished: undefined, path: '/iocs', why: 'no wish leads home' },
    { wished: 'https://evil.example/', path: '/iocs', why: 'another site is refused' },
    { wished: '//evil.example/', path: '/iocs', why: 'an address without scheme is another site' },
    { wished: '/\\evil.example/', path: '/iocs', why: 'browsers read a backslash as a slash' },
    { wished: '/\t/evil.example/', path: '/iocs', why: 'browsers skip a tab' },
    { wished: 'javascript:alert(1)', path: '/iocs', why: 'a script is no address' },
    { wished: '/login?return=/iocs', path: '/iocs', why: 'the login would lead to itself' },
  ])('$why', ({ wished, path }) => {
    expect(safeReturnPath(wished)).toBe(path)
  })
})
