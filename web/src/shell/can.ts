import { denialText } from './shell.text.ts'

export type DenialReason = keyof typeof denialText
export type RoleName = 'ADMIN' | 'ANALYST' | 'VIEWER'

type Rule = { roles: readonly RoleName[]; otherwise: DenialReason }

const ANALYSTS: Rule = { roles: ['ADMIN', 'ANALYST'], otherwise: 'needsAnalyst' }
const ADMINS: Rule = { roles: ['ADMIN'], otherwise: 'onlyAdmin' }

/** Who may do what. The server decides; this table only spares the reader a refusal. */
const RULES = {
  'alert.acknowledge': ANALYSTS,
  'incident.open': ANALYSTS,
  'incident.link': ANALYSTS,
  'incident.comment': ANALYSTS,
  'incident.escalate': ANALYSTS,
  'incident.close': ANALYSTS,
  'indicator.submit': ANALYSTS,
  'exclusion.add': ANALYSTS,
  'exclusion.remove': { roles: ['ADMIN'], otherwise: 'onlyAdminRemovesExclusion' },
  'hunt.start': ANALYSTS,
  'soc.load.read': ANALYSTS,
  'feed.add': ADMINS,
  'feed.edit': ADMINS,
  'feed.delete': ADMINS,
  'feed.run': ADMINS,
  'feed.error.read': { roles: ['ADMIN'], otherwise: 'detailsForAdmin' },
  'asset.delete': { roles: ['ADMIN'], otherwise: 'onlyAdminDeletesAsset' },
  'administration.open': ADMINS,
} as const satisfies Record<string, Rule>

export type Action = keyof typeof RULES

/** True, or the reason why `role` may not do `action`; undefined stands for a role that is not known yet. */
export function can(action: Action, role: RoleName | undefined): true | string {
  const rule: Rule = RULES[action]
  if (role === undefined) return denialText.roleUnknown
  return rule.roles.includes(role) ? true : denialText[rule.otherwise]
}
