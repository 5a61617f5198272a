import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { type User, type UserChange, useChangeUser } from '../../api/users.ts'

/** One account as it was when the dialog opened, and a change of it that notices when someone else was faster. */
export function useUserChange(user: User) {
  const [base, setBase] = useState(user)
  const { mutate, isPending, error, reset } = useChangeUser()
  const problem = error === null ? undefined : toProblem(error)
  const isConflict = problem?.code === 'conflict'
  return {
    base,
    busy: isPending,
    problem: isConflict ? undefined : problem,
    /** What is there now; undefined without a conflict, and until the list was read again. */
    newer: isConflict && user.version !== base.version ? user : undefined,
    waitsForNewer: isConflict && user.version === base.version,
    change: (what: Omit<UserChange, 'version'>, onDone: (changed: { username: string }) => void) =>
      mutate({ id: base.id, change: { ...what, version: base.version } }, { onSuccess: onDone }),
    goOn: () => {
      setBase(user)
      reset()
    },
  }
}
