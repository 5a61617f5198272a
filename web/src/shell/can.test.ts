import { describe, expect, it } from 'vitest'
import { can } from './can.ts'

describe('can', () => {
  it.each([
    { action: 'indicator.submit', role: 'ANALYST', answer: true, why: 'an analyst submits IOCs' },
    { action: 'indicator.submit', role: 'VIEWER', answer: 'Needs ANALYST or ADMIN', why: 'a viewer only reads' },
    { action: 'feed.add', role: 'ADMIN', answer: true, why: 'an administrator adds feeds' },
    { action: 'feed.add', role: 'ANALYST', answer: 'Only ADMIN', why: 'feeds are not for analysts' },
    { action: 'exclusion.remove', role: 'ANALYST', answer: 'Only ADMIN can remove an exclusion', why: 'the reason names the act' },
    { action: 'feed.error.read', role: 'VIEWER', answer: 'Details are visible to ADMIN', why: 'errors may hold internal names' },
    { action: 'feed.edit', role: undefined, answer: 'Your role is being read', why: 'nothing is allowed before the role is known' },
  ] as const)('$why', ({ action, role, answer }) => {
    expect(can(action, role)).toBe(answer)
  })
})
