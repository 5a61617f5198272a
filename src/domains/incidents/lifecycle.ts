import { DomainError, refuseField } from '#kernel/errors.ts'
import { type IncidentStep, REASON_MIN_CHARS, type Resolution, SOC_LEVELS, type SocLevel } from './incidents.model.ts'

/** A move that an incident may make. */
type Move = {
  to: IncidentStep
  /** A move back, which has to be explained. */
  back?: true
  /** The only resolutions that this close takes. */
  resolutions?: readonly Resolution[]
}

/** Every move there is: what is not here is refused. Source: docs/decisions/0026. */
// biome-ignore format: one step per line
export const MOVES: Record<IncidentStep, readonly Move[]> = {
  OPEN:        [{ to: 'ANALYSIS' }, { to: 'CLOSED', resolutions: ['FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE'] }],
  ANALYSIS:    [{ to: 'CONTAINMENT' }, { to: 'CLOSED' }],
  CONTAINMENT: [{ to: 'ERADICATION' }, { to: 'ANALYSIS', back: true }],
  ERADICATION: [{ to: 'RECOVERY' }, { to: 'CONTAINMENT', back: true }, { to: 'ANALYSIS', back: true }],
  RECOVERY:    [{ to: 'CLOSED' }, { to: 'ERADICATION', back: true }, { to: 'ANALYSIS', back: true }],
  CLOSED:      [{ to: 'ANALYSIS', back: true }],
}

/** A move as somebody asks for it. */
export type MoveRequest = {
  to: IncidentStep
  comment?: string | undefined
  summary?: string | undefined
  resolution?: Resolution | undefined
}
/** A move that is allowed, with what it says. */
export type JudgedMove = {
  kind: 'STATUS_CHANGED' | 'CLOSED' | 'REOPENED'
  note: string | null
  /** Of a close. */
  closing: { summary: string; resolution: Resolution } | undefined
}

/** The steps that an incident may go to from here. */
export function allowedMoves(from: IncidentStep): IncidentStep[] {
  return MOVES[from].map(({ to }) => to)
}

/**
 * What a move amounts to. @throws invalid_transition naming the moves that are allowed; validation_failed when it lacks its comment, summary or
 * resolution
 */
export function judgeMove(from: IncidentStep, request: MoveRequest): JudgedMove {
  const move = MOVES[from].find(({ to }) => to === request.to)
  if (move === undefined)
    throw new DomainError('invalid_transition', `An incident in ${from} does not go to ${request.to}. ${describeMoves(from)}`)
  if (move.to === 'CLOSED') return judgeClose(from, move, request)
  if (request.summary !== undefined || request.resolution !== undefined)
    throw refuseField(request.summary === undefined ? 'resolution' : 'summary', 'Only a close takes a summary and a resolution.')
  const comment = request.comment?.trim() ?? ''
  if (from === 'CLOSED') {
    if (comment.length < REASON_MIN_CHARS)
      throw refuseField('comment', `Say in at least ${REASON_MIN_CHARS} characters why it is opened again.`)
    return { kind: 'REOPENED', note: comment, closing: undefined }
  }
  if (move.back && comment === '') throw refuseField('comment', `Say in a comment why it goes back from ${from} to ${move.to}.`)
  return { kind: 'STATUS_CHANGED', note: comment === '' ? null : comment, closing: undefined }
}

function judgeClose(from: IncidentStep, { resolutions }: Move, request: MoveRequest): JudgedMove {
  const { resolution } = request
  if (resolution === undefined) throw refuseField('resolution', 'Closing needs a resolution.')
  if (resolutions !== undefined && !resolutions.includes(resolution))
    throw new DomainError('invalid_transition', `An incident in ${from} is not closed as ${resolution}. ${describeMoves(from)}`)
  const summary = request.summary?.trim() ?? ''
  if (summary === '') throw refuseField('summary', 'Closing needs a summary: what happened, and what was done.')
  return { kind: 'CLOSED', note: summary, closing: { summary, resolution } }
}

/** Where an incident may go from this step, in words. */
export function describeMoves(from: IncidentStep): string {
  const moves = MOVES[from].map(({ to, resolutions }) => (resolutions === undefined ? to : `${to} (as ${resolutions.join(', ')})`))
  return `From ${from} it may go to ${moves.join(' or ')}.`
}

/** Refuses whatever a closed incident does not take, which is everything but being opened again. @throws invalid_transition */
export function requireOpen(status: IncidentStep, action: string): void {
  if (status === 'CLOSED')
    throw new DomainError('invalid_transition', `The incident is closed and takes no ${action}. ${describeMoves(status)}`)
}

/** The level above. @throws invalid_transition at the last one, naming what is left */
export function nextLevel(level: SocLevel): SocLevel {
  const next = SOC_LEVELS[SOC_LEVELS.indexOf(level) + 1]
  if (next === undefined)
    throw new DomainError('invalid_transition', `${level} is the last level; there is no move from it, neither up nor back.`)
  return next
}
