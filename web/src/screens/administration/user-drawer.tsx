import { IconKey, IconLogout, IconShield, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { User } from '../../api/users.ts'
import { paths } from '../../shell/paths.ts'
import { ActionRow } from '../../ui/action-row.tsx'
import { Callout } from '../../ui/callout.tsx'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './administration.module.css'
import { count, usersText } from './administration.text.ts'
import { UserStatus } from './user-columns.tsx'

const text = usersText.drawer
const reasons = usersText.reasons

export type UserAct = 'role' | 'disable' | 'reset' | 'revoke'

export type UserDrawerProps = {
  openId: string | undefined
  user: User | undefined
  /** The list is there, so a missing account does not exist. */
  loaded: boolean
  /** A dialog is open on top: Escape and the letters belong to it. */
  busy: boolean
  isOwn: boolean
  isLastAdmin: boolean
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
  onAct: (act: UserAct) => void
  onEnable: (user: User) => void
}

/** One account beside the list: what it is, and what can be done with it. */
export function UserDrawer({ openId, user, loaded, busy, isOwn, isLastAdmin, onClose, onStep, onAct, onEnable }: UserDrawerProps) {
  // While the drawer slides out, it still shows what it held.
  const last = useRef(user)
  if (user !== undefined) last.current = user
  const shown = openId === undefined ? last.current : user
  return (
    <DetailDrawer
      openId={openId}
      title={<span className={classes['drawerTitle']}>{shown?.username ?? usersText.title}</span>}
      onClose={() => {
        if (!busy) onClose()
      }}
      onStep={busy ? undefined : onStep}
    >
      {shown === undefined ? (
        loaded && openId !== undefined && <EmptyState title={text.missing} description={text.missingNext} />
      ) : (
        <div className={classes['drawer']}>
          <div className={classes['headLine']}>
            <UserStatus status={shown.status} />
            <span>{usersText.role[shown.role]}</span>
          </div>
          {isOwn && <Callout tone="info">{text.own}</Callout>}
          {isLastAdmin && (
            <Callout tone="warning" icon={<IconShield size={16} aria-hidden />} title={text.lastAdminTitle}>
              <p>{text.lastAdminWhy}</p>
            </Callout>
          )}
          <Actions user={shown} isOwn={isOwn} isLastAdmin={isLastAdmin} onAct={onAct} onEnable={onEnable} />
          <SectionPanel title={text.facts}>
            <FactList facts={factsOf(shown)} />
          </SectionPanel>
        </div>
      )}
    </DetailDrawer>
  )
}

type ActionsProps = Pick<UserDrawerProps, 'isOwn' | 'isLastAdmin' | 'onAct' | 'onEnable'> & { user: User }

function Actions({ user, isOwn, isLastAdmin, onAct, onEnable }: ActionsProps) {
  return (
    <ActionRow>
      <ReasonButton
        variant="default"
        disabledReason={isLastAdmin ? reasons.lastAdminRole : true}
        leftSection={<IconShield size={14} aria-hidden />}
        onClick={() => onAct('role')}
      >
        {text.changeRole}
      </ReasonButton>
      <ReasonButton
        variant="default"
        // The session would end with the answer, and the new password would be gone before it was read.
        disabledReason={isOwn ? reasons.ownPassword : true}
        leftSection={<IconKey size={14} aria-hidden />}
        onClick={() => onAct('reset')}
      >
        {text.reset}
      </ReasonButton>
      <ReasonButton
        variant="default"
        disabledReason={user.active_sessions === 0 ? reasons.noSessions : true}
        leftSection={<IconLogout size={14} aria-hidden />}
        onClick={() => onAct('revoke')}
      >
        {text.revoke}
      </ReasonButton>
      {user.status === 'ACTIVE' ? (
        <ReasonButton
          variant="default"
          disabledReason={isLastAdmin ? reasons.lastAdminDisable : true}
          leftSection={<IconUserOff size={14} aria-hidden />}
          onClick={() => onAct('disable')}
        >
          {text.disable}
        </ReasonButton>
      ) : (
        <ReasonButton leftSection={<IconUserCheck size={14} aria-hidden />} onClick={() => onEnable(user)}>
          {text.enable}
        </ReasonButton>
      )}
    </ActionRow>
  )
}

function factsOf(user: User) {
  const { names, none } = text
  return [
    { name: names.name, value: user.username },
    { name: names.email, value: user.email ?? <span className="svc-dim">{none}</span> },
    { name: names.role, value: `${usersText.role[user.role]}: ${usersText.roleMeaning[user.role]}` },
    { name: names.status, value: usersText.status[user.status] },
    { name: names.lastLogin, value: <TimeText value={user.last_login_at} form="both" /> },
    { name: names.sessions, value: count(user.active_sessions) },
    { name: names.created, value: <TimeText value={user.created_at} form="both" /> },
    {
      name: text.journal,
      value: (
        // The route leaves its search untyped; the screen there owns its schema.
        <Link to={paths.audit} search={{ actor: user.username } as never}>
          {text.didLink(user.username)}
        </Link>
      ),
    },
    { name: names.id, value: <span className="svc-mono">{user.id}</span> },
  ]
}
