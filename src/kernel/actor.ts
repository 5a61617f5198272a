/** Roles, most powerful first. Source: spec, "Roles". */
export const ROLES = ['ADMIN', 'ANALYST', 'VIEWER'] as const
export type Role = (typeof ROLES)[number]

/** Who does something, from where, within which request: travels from the edge to the audit row. */
export type Actor = {
  /** Undefined for the service itself and for the command line. */
  id?: string
  name: string
  role: Role
  clientIp?: string
  requestId?: string
  /** The session whose token the request carried. */
  sessionId?: string
}

/** The worker acting by its schedule. */
export const WORKER_ACTOR: Actor = { name: 'worker', role: 'ADMIN' }

/** Somebody at the machine's own shell. */
export const COMMAND_LINE_ACTOR: Actor = { name: 'command line', role: 'ADMIN' }
