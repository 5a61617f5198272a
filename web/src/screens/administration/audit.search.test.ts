import { describe, expect, it } from 'vitest'
import { readSearch } from '../../shell/search-schema.ts'
import { isFiltered, parseAuditSearch, toAuditQuery } from './audit.search.ts'

describe('the search of the journal', () => {
  it.each([
    { query: '?action=auth.&outcome=DENIED&since=24', asked: { action: 'auth.', outcome: 'DENIED', since: 24 }, why: 'filters are asked' },
    { query: '?actor=Ada&cursor=abc', asked: { actor: 'Ada', cursor: 'abc' }, why: 'a place in the list is asked' },
    { query: '?open=018f0000-0000-7000-8000-000000000001&trace=true', asked: {}, why: 'what is open is no filter' },
    { query: '?request_id=a%20b', asked: {}, why: 'what cannot be a request id is dropped' },
    { query: '?request_id=%20req-1%20', asked: { request_id: 'req-1' }, why: 'blanks around a pasted id are dropped' },
    { query: '?since=0&outcome=MAYBE', asked: {}, why: 'values that the API refuses are dropped' },
  ])('$why', ({ query, asked }) => {
    expect(toAuditQuery(parseAuditSearch(readSearch(query)))).toEqual({ limit: 50, ...asked })
  })
  it('counts a place in the list as no filter', () => {
    expect(isFiltered({ cursor: 'abc' })).toBe(false)
    expect(isFiltered({ since: 1 })).toBe(true)
  })
})
