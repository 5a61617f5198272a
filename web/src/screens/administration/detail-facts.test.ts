import { describe, expect, it } from 'vitest'
import { detailFacts } from './detail-facts.ts'

describe('detailFacts', () => {
  it('keeps every detail, in the order given', () => {
    expect(detailFacts({ role_from: 'VIEWER', values: 12, forced: true, note: null, odd: { a: [1] } })).toEqual([
      { name: 'role from', value: 'VIEWER' },
      { name: 'values', value: '12' },
      { name: 'forced', value: 'yes' },
      { name: 'note', value: 'none' },
      { name: 'odd', value: '{"a":[1]}' },
    ])
  })
})
