import { expect, test } from 'vitest'
import { createRecentRequests, type RecentRequest } from './recent-requests.ts'

const request = (request_id: string, status = 200): RecentRequest => ({
  at: new Date(0),
  method: 'GET',
  path: '/health',
  status,
  duration_ms: 1,
  client: '127.0.0.1',
  request_id,
})

test('a request is found by its id, and an id that was never seen is not', () => {
  const recent = createRecentRequests()
  recent.note(request('first-one'))
  expect(recent.find('first-one')).toEqual(request('first-one'))
  expect(recent.find('another')).toBeUndefined()
})

test('beyond the capacity the oldest is forgotten, and an id that came again counts from its last time', () => {
  const recent = createRecentRequests(2)
  recent.note(request('a'))
  recent.note(request('b'))
  recent.note(request('a', 403))
  recent.note(request('c'))
  expect(recent.find('b')).toBeUndefined()
  expect(recent.find('a')?.status).toBe(403)
  expect(recent.find('c')).toBeDefined()
})
