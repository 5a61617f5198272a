import { describe, expect, it } from 'vitest'
import type { User } from '../../api/users.ts'
import { filterUsers, isLastAdmin } from './users.search.ts'

const user = (username: string, facts: Partial<User> = {}): User => ({
  id: username,
  username,
  email: null,
  role: 'VIEWER',
  status: 'ACTIVE',
  version: 1,
  created_at: '2026-11-20T00:00:00Z',
  last_login_at: null,
  active_sessions: 0,
  ...facts,
})

describe('isLastAdmin', () => {
  const ada = user('ada', { role: 'ADMIN' })
  it.each([
    { others: [], last: true, why: 'alone' },
    { others: [user('ben', { role: 'ADMIN' })], last: false, why: 'with a second administrator' },
    { others: [user('ben', { role: 'ADMIN', status: 'DISABLED' })], last: true, why: 'the second one is disabled' },
    { others: [user('ben', { role: 'ANALYST' })], last: true, why: 'an analyst cannot administer' },
  ])('$why: $last', ({ others, last }) => {
    expect(isLastAdmin(ada, [ada, ...others])).toBe(last)
  })
  it('says nothing about others', () => {
    expect(isLastAdmin(user('vera'), [ada, user('vera')])).toBe(false)
    expect(isLastAdmin(user('off', { role: 'ADMIN', status: 'DISABLED' }), [ada])).toBe(false)
  })
})

describe('filterUsers', () => {
  const users = [user('ada', { role: 'ADMIN', email: 'ada@corp.example' }), user('vera', { status: 'DISABLED' })]
  it.each([
    { search: {}, names: ['ada', 'vera'], why: 'all without a filter' },
    { search: { q: 'CORP' }, names: ['ada'], why: 'text in the e-mail, in any case' },
    { search: { q: 'er' }, names: ['vera'], why: 'text inside the name' },
    { search: { role: 'VIEWER' as const }, names: ['vera'], why: 'a role' },
    { search: { status: 'ACTIVE' as const, q: 'vera' }, names: [], why: 'all filters together' },
  ])('$why', ({ search, names }) => {
    expect(filterUsers(users, search).map(({ username }) => username)).toEqual(names)
  })
})
