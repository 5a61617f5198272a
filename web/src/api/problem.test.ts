import { describe, expect, it } from 'vitest'
import { ApiProblem, problemOf, toProblem } from './problem.ts'

const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

describe('problemOf', () => {
  it('keeps the sentence, the code, the request and the fields of a problem answer', () => {
    const problem = problemOf(answer(422), {
      detail: 'The name is taken.',
      code: 'validation_failed',
      request_id: 'r-1',
      errors: [{ field: 'body.name', code: 'duplicate', message: 'Taken.' }],
    })
    expect(problem).toMatchObject({ status: 422, detail: 'The name is taken.', code: 'validation_failed', requestId: 'r-1' })
    expect(problem.fieldMessage('name')).toBe('Taken.')
    expect(problem.fieldMessage('url')).toBeUndefined()
  })
  it('makes a sentence when a proxy answered with something else', () => {
    expect(problemOf(answer(502, { 'x-request-id': 'r-2' }), '<html>')).toMatchObject({
      code: 'http_502',
      detail: 'The server answered 502 without an explanation.',
      requestId: 'r-2',
    })
  })
  it('leaves out fields that are not as agreed', () => {
    expect(problemOf(answer(422), { errors: [null, 'x', { field: 1 }, { field: 'a' }] }).fields).toEqual([])
  })
  it('reads how long to wait', () => {
    expect(problemOf(answer(429, { 'retry-after': '30' }), {}).retryAfterSeconds).toBe(30)
    expect(problemOf(answer(429, { 'retry-after': 'soon' }), {}).retryAfterSeconds).toBeUndefined()
  })
})

describe('toProblem', () => {
  it('says that no answer came when fetch failed', () => {
    expect(toProblem(new TypeError('Failed to fetch'))).toMatchObject({ status: 0, code: 'network_unreachable' })
  })
  it('passes a problem on as it is', () => {
    const problem = problemOf(answer(404), {})
    expect(toProblem(problem)).toBe(problem)
  })
  it('takes anything that was thrown', () => {
    expect(toProblem('x')).toBeInstanceOf(ApiProblem)
  })
})
