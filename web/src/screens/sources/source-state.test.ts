import { describe, expect, it } from 'vitest'
import type { Source } from '../../api/feeds.ts'
import { countStates, filterSources, sortSources, stateOf } from './source-state.ts'

function source(change: Partial<Source>): Source {
  return {
    id: 'id',
    name: 'Alpha',
    url: 'https://alpha.example/list.csv',
    format: 'CSV',
    feed_type: 'malware',
    status: 'HEALTHY',
    is_active: true,
    reliability: 'B',
    frequency: 3600,
    parser: {},
    tlp: 'CLEAR',
    licence: null,
    homepage: null,
    listed: 10,
    last_successful_run: null,
    last_error: null,
    has_error: false,
    collecting: false,
    version: 1,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    health: undefined,
    ...change,
  }
}

const ALPHA = source({ id: 'a' })
const BETA = source({
  id: 'b',
  name: 'beta',
  status: 'DEGRADED',
  feed_type: 'c2',
  listed: 500,
  last_successful_run: '2026-11-02T00:00:00Z',
})
const GAMMA = source({ id: 'c', name: 'Gamma', is_active: false, url: 'https://other.example/x', reliability: 'A' })
const ALL = [GAMMA, ALPHA, BETA]
const ids = (sources: readonly Source[]) => sources.map(({ id }) => id).join('')

describe('stateOf', () => {
  it('calls an inactive source off, whatever its last collection was', () => {
    expect(stateOf({ is_active: false, status: 'DEGRADED' })).toBe('off')
  })
  it('counts each source once', () => {
    expect(countStates(ALL)).toEqual({ healthy: 1, degraded: 1, pending: 0, off: 1 })
  })
})

describe('filterSources', () => {
  it.each([
    ['text in the name, ignoring case', { q: 'BET' }, 'b'],
    ['text in the address', { q: 'other.example' }, 'c'],
    ['one state', { status: ['degraded'] as const }, 'b'],
    ['switched on', { active: true }, 'ab'],
    ['switched off', { active: false }, 'c'],
    ['a type together with text', { type: 'malware', q: 'alpha' }, 'a'],
    ['nothing', {}, 'cab'],
  ])('keeps what matches %s', (_what, filter, kept) => {
    expect(ids(filterSources(ALL, filter))).toBe(kept)
  })
})

describe('sortSources', () => {
  it.each([
    ['name', false, 'abc'],
    ['name', true, 'cba'],
    ['state', false, 'bac'],
    ['reliability', false, 'cab'],
    ['last_success', true, 'bac'],
    ['listed', true, 'bac'],
  ] as const)('by %s, down: %s', (by, down, order) => {
    expect(ids(sortSources(ALL, { by, down }))).toBe(order)
  })
})
