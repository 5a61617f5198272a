import { useCurrentUser } from '../api/session.ts'
import { type Action, can } from './can.ts'

/** `can` for the account of this session. */
export function useCan(): (action: Action) => true | string {
  const role = useCurrentUser()?.role
  return (action) => can(action, role)
}
