import { describe, expect, it } from 'vitest'
import type { DataColumn } from './data-table.types.ts'
import { columnsWithRoom } from './table-columns.ts'

const column = (id: string, facts: Partial<DataColumn<string>> = {}): DataColumn<string> => ({ id, header: id, cell: () => id, ...facts })

const COLUMNS = [
  column('state', { width: '100px' }),
  column('name'),
  column('hits', { width: '50px', drop: 2 }),
  column('seen', { width: '150px', drop: 1 }),
  column('note', { width: '100px', wideOnly: true }),
]

describe('columnsWithRoom', () => {
  it.each([
    { widthPx: 600, stacked: false, ids: 'state name hits seen note', why: 'all of them, when they just fit' },
    { widthPx: 599, stacked: false, ids: 'state name hits note', why: 'the first of its order goes' },
    { widthPx: 449, stacked: false, ids: 'state name hits', why: 'then the next' },
    { widthPx: 300, stacked: false, ids: 'state name', why: 'then the last that may go' },
    { widthPx: 100, stacked: false, ids: 'state name', why: 'what may not go stays, and the table scrolls' },
    { widthPx: undefined, stacked: false, ids: 'state name hits seen note', why: 'nothing goes before it was measured' },
    { widthPx: 300, stacked: true, ids: 'state name hits seen', why: 'stacked rows have the room, but not for what one can do without' },
  ])('$why', ({ widthPx, stacked, ids }) => {
    const kept = columnsWithRoom(COLUMNS, { widthPx, stacked, hasCheckboxes: false })
    expect(kept.map(({ id }) => id).join(' ')).toBe(ids)
  })
  it('counts the boxes for selecting', () => {
    expect(columnsWithRoom(COLUMNS, { widthPx: 600, stacked: false, hasCheckboxes: true })).toHaveLength(4)
  })
})
