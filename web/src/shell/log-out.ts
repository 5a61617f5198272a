import { logout } from '../api/session.ts'
import { notifyProblem } from '../ui/notify.ts'
import { shellText } from './shell.text.ts'

/** Leaves at once; says so when the server did not hear of it. */
export function logOut(): void {
  logout().catch(() => notifyProblem({ detail: shellText.logoutFailed, requestId: undefined }))
}
