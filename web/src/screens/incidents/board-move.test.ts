import { describe, expect, it } from 'vitest'
import { nextCard } from './board-move.ts'

const COUNTS = [3, 0, 2, 0]

describe('nextCard', () => {
  it.each([
    ['down', 'ArrowDown', [0, 0], [0, 1]],
    ['down with j', 'j', [0, 1], [0, 2]],
    ['not below the last', 'ArrowDown', [0, 2], undefined],
    ['up with k', 'k', [0, 1], [0, 0]],
    ['not above the first', 'ArrowUp', [2, 0], undefined],
    ['right over an empty column, to its last card', 'ArrowRight', [0, 2], [2, 1]],
    ['left over an empty column', 'ArrowLeft', [2, 0], [0, 0]],
    ['nowhere beyond the last card', 'ArrowRight', [2, 1], undefined],
    ['nowhere with another key', 'Enter', [0, 0], undefined],
    ['nowhere with a name that objects have', 'constructor', [0, 0], undefined],
  ] as const)('leads %s', (_title, key, [column, row], to) =>
    expect(nextCard(key, { column, row }, COUNTS, true)).toEqual(to && { column: to[0], row: to[1] }),
  )

  it('knows no letters when they are switched off', () => expect(nextCard('j', { column: 0, row: 0 }, COUNTS, false)).toBeUndefined())
})
