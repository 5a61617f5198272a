import { describe, expect, it } from 'vitest'
import { boardStepsOf, isFiltered, NO_FILTERS, parseIncidentsSearch, toIncidentQuery, VIEWS } from './incidents.search.ts'

describe('the address of the incidents', () => {
  it.each([
    ['what is not closed, without a word', {}, { open: true }],
    ['closed ones', { state: 'closed' }, { open: false }],
    ['all of them', { state: 'all' }, {}],
    ['a step, which says it by itself', { status: 'CLOSED,OPEN' }, { status: 'OPEN,CLOSED' }],
    [
      'several words at once',
      { severity: 'LOW,CRITICAL', level: 'L3', late: 'true' },
      { severity: 'CRITICAL,LOW', level: 'L3', overdue: true, open: true },
    ],
    ['nothing of what nobody knows', { status: 'DONE', assignee: 'ana', cve: 'x', ioc: '1' }, { open: true }],
  ])('asks for %s', (_what, raw, query) => expect(toIncidentQuery(parseIncidentsSearch(raw))).toEqual(query))

  it('is that of a view as a link writes it', () => {
    for (const { search } of VIEWS) expect(parseIncidentsSearch(search)).toEqual(search)
  })

  it('is filtered by anything but its page', () => {
    expect(isFiltered({ cursor: 'x' })).toBe(false)
    expect(isFiltered({ late: 'true' })).toBe(true)
    expect(isFiltered(NO_FILTERS)).toBe(false)
  })

  it('is not filtered by how it is shown', () => expect(isFiltered(parseIncidentsSearch({ layout: 'board' }))).toBe(false))

  it.each([
    ['what is not closed', {}, ['OPEN', 'ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY']],
    ['closed ones', { state: 'closed' }, ['CLOSED']],
    ['everything', { state: 'all' }, ['OPEN', 'ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY', 'CLOSED']],
    ['some steps', { status: 'CLOSED,ANALYSIS' }, ['ANALYSIS', 'CLOSED']],
  ])('has a column for each step of %s', (_what, raw, steps) => expect(boardStepsOf(parseIncidentsSearch(raw))).toEqual(steps))
})
