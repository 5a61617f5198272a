import { describe, expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { INCIDENT_STEPS, type IncidentStep, RESOLUTIONS } from './incidents.model.ts'
import { allowedMoves, judgeMove, type MoveRequest, nextLevel, requireOpen } from './lifecycle.ts'

/** Written by hand from the specification: what is not here is refused. */
// biome-ignore format: one step per line
const MAY_GO_TO: Record<IncidentStep, IncidentStep[]> = {
  OPEN:        ['ANALYSIS', 'CLOSED'],
  ANALYSIS:    ['CONTAINMENT', 'CLOSED'],
  CONTAINMENT: ['ERADICATION', 'ANALYSIS'],
  ERADICATION: ['RECOVERY', 'CONTAINMENT', 'ANALYSIS'],
  RECOVERY:    ['CLOSED', 'ERADICATION', 'ANALYSIS'],
  CLOSED:      ['ANALYSIS'],
}
const PAIRS = INCIDENT_STEPS.flatMap((from) => INCIDENT_STEPS.map((to) => ({ from, to })))

function refusalOf(work: () => unknown): DomainError {
  try {
    work()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

/** Everything that any move may need. */
function complete(to: IncidentStep): MoveRequest {
  return to === 'CLOSED' ? { to, summary: 'A summary.', resolution: 'FALSE_POSITIVE' } : { to, comment: 'A reason of some length.' }
}

describe('a move', () => {
  test.each(PAIRS)('from $from to $to is allowed or refused as the table says', ({ from, to }) => {
    if (MAY_GO_TO[from].includes(to)) {
      expect(judgeMove(from, complete(to))).toBeDefined()
      return
    }
    const refusal = refusalOf(() => judgeMove(from, complete(to)))
    expect(refusal.code).toBe('invalid_transition')
    for (const step of MAY_GO_TO[from]) expect(refusal.message).toContain(step)
  })

  test.each(INCIDENT_STEPS)('from %s the moves are named', (from) => expect(allowedMoves(from)).toEqual(MAY_GO_TO[from]))

  // biome-ignore format: one case per line
  test.each<{ title: string; from: IncidentStep; request: MoveRequest; kind: string; note: string | null }>([
    { title: 'forward needs no comment',           from: 'OPEN',        request: { to: 'ANALYSIS' },                                    kind: 'STATUS_CHANGED', note: null },
    { title: 'forward keeps one',                  from: 'OPEN',        request: { to: 'ANALYSIS', comment: ' Looking. ' },             kind: 'STATUS_CHANGED', note: 'Looking.' },
    { title: 'back is a move with a comment',      from: 'CONTAINMENT', request: { to: 'ANALYSIS', comment: 'Two hosts more.' },         kind: 'STATUS_CHANGED', note: 'Two hosts more.' },
    { title: 'out of CLOSED is a reopening',       from: 'CLOSED',      request: { to: 'ANALYSIS', comment: 'It came back.' },           kind: 'REOPENED',       note: 'It came back.' },
    { title: 'a close keeps its summary',          from: 'RECOVERY',    request: { to: 'CLOSED', summary: 'Cleaned.', resolution: 'TRUE_POSITIVE_IMPACT' }, kind: 'CLOSED', note: 'Cleaned.' },
  ])('$title', ({ from, request, kind, note }) => expect(judgeMove(from, request)).toMatchObject({ kind, note }))

  // biome-ignore format: one case per line
  test.each<{ title: string; from: IncidentStep; request: MoveRequest; field: string }>([
    { title: 'back without a comment',               from: 'RECOVERY', request: { to: 'ANALYSIS' },                                              field: 'comment' },
    { title: 'back with an empty comment',           from: 'RECOVERY', request: { to: 'ERADICATION', comment: '  ' },                            field: 'comment' },
    { title: 'a reopening without a reason',         from: 'CLOSED',   request: { to: 'ANALYSIS' },                                              field: 'comment' },
    { title: 'a reopening with a reason of 9',       from: 'CLOSED',   request: { to: 'ANALYSIS', comment: '123456789' },                        field: 'comment' },
    { title: 'a close without a summary',            from: 'ANALYSIS', request: { to: 'CLOSED', resolution: 'DUPLICATE' },                       field: 'summary' },
    { title: 'a close with an empty summary',        from: 'ANALYSIS', request: { to: 'CLOSED', resolution: 'DUPLICATE', summary: ' \n ' },      field: 'summary' },
    { title: 'a close without a resolution',         from: 'ANALYSIS', request: { to: 'CLOSED', summary: 'Done.' },                              field: 'resolution' },
    { title: 'a summary where nothing is closed',    from: 'OPEN',     request: { to: 'ANALYSIS', summary: 'Done.' },                            field: 'summary' },
    { title: 'a resolution where nothing is closed', from: 'OPEN',     request: { to: 'ANALYSIS', resolution: 'DUPLICATE' },                     field: 'resolution' },
  ])('$title is refused at its field', ({ from, request, field }) => {
    expect(refusalOf(() => judgeMove(from, request))).toMatchObject({ code: 'validation_failed', fields: [{ field }] })
  })

  test.each(RESOLUTIONS)('an incident in OPEN is closed as %s only when nothing was looked into', (resolution) => {
    const close = () => judgeMove('OPEN', { to: 'CLOSED', summary: 'Done.', resolution })
    if (!resolution.startsWith('TRUE_POSITIVE')) return expect(close()).toMatchObject({ kind: 'CLOSED', closing: { resolution } })
    const refusal = refusalOf(close)
    expect(refusal.code).toBe('invalid_transition')
    expect(refusal.message).toContain('FALSE_POSITIVE, DUPLICATE, NOT_APPLICABLE')
  })

  test('a reason of ten characters opens it again', () => {
    expect(judgeMove('CLOSED', { to: 'ANALYSIS', comment: '1234567890' }).kind).toBe('REOPENED')
  })
})

describe('a level', () => {
  test('rises by one', () => expect([nextLevel('L1'), nextLevel('L2')]).toEqual(['L2', 'L3']))
  test('ends at L3', () => expect(refusalOf(() => nextLevel('L3'))).toMatchObject({ code: 'invalid_transition' }))
})

test.each(INCIDENT_STEPS)('an incident in %s takes a change unless it is closed', (step) => {
  if (step !== 'CLOSED') return expect(() => requireOpen(step, 'comment')).not.toThrow()
  expect(refusalOf(() => requireOpen(step, 'comment')).message).toContain('ANALYSIS')
})
