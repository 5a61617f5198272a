import type { IncidentStep } from './incidents.model.ts'
import type { IncidentListRow } from './incidents.store.ts'
import { allowedMoves } from './lifecycle.ts'
import { dueMoments } from './target-delays.ts'

/** An incident with what follows from it: where it may go, and when it is due. */
export type Incident = IncidentListRow & { allowed_moves: IncidentStep[]; take_in_due_at: Date; resolution_due_at: Date }

export function toIncident(row: IncidentListRow): Incident {
  return { ...row, allowed_moves: allowedMoves(row.status), ...dueMoments(row) }
}
