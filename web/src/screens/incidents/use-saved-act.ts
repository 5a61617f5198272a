import { useState } from 'react'
import { conflictOf, type IncidentAct, type IncidentDetail, useIncidentAct } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'

/** An act that names the version its writer has seen, and what to do when somebody was quicker. */
export function useSavedAct(incident: Pick<IncidentDetail, 'id' | 'version'>) {
  // Frozen when the dialog opens: the screen behind it goes on being read anew.
  const [version, setVersion] = useState(incident.version)
  const acting = useIncidentAct()
  const problem = acting.error === null ? undefined : toProblem(acting.error)
  const conflict = problem === undefined ? undefined : conflictOf(problem)
  return {
    busy: acting.isPending,
    conflict,
    /** Any problem that is not a conflict. */
    problem: conflict === undefined ? problem : undefined,
    /** Sends the act; on top of what others did, once the writer has seen it. */
    run(actOn: (version: number) => IncidentAct, onDone: () => void): void {
      const seen = conflict?.version ?? version
      setVersion(seen)
      acting.mutate({ id: incident.id, act: actOn(seen) }, { onSuccess: onDone })
    },
  }
}
