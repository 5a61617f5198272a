import { Button, Modal, NativeSelect } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ROLES, type User } from '../../api/users.ts'
import { Callout } from '../../ui/callout.tsx'
import { FormEnd } from '../../ui/form-end.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './administration.module.css'
import { usersText } from './administration.text.ts'
import { useUserChange } from './use-user-change.ts'
import { UserConflict } from './user-conflict.tsx'

const text = usersText.roleDialog

/** Gives an account another role. `user` undefined closes it. */
export function RoleDialog({ user, isOwn, onClose }: { user: User | undefined; isOwn: boolean; onClose: () => void }) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef(user)
  if (user !== undefined) last.current = user
  const shown = user ?? last.current
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      title={shown === undefined ? '' : text.title(shown.username)}
      size={480}
      closeButtonProps={{ 'aria-label': uiText.close }}
    >
      {shown !== undefined && <RoleForm key={shown.id} user={shown} isOwn={isOwn} onClose={onClose} />}
    </Modal>
  )
}

function RoleForm({ user, isOwn, onClose }: { user: User; isOwn: boolean; onClose: () => void }) {
  const { base, busy, problem, newer, waitsForNewer, change, goOn } = useUserChange(user)
  const [role, setRole] = useState(base.role)
  const reason = role === base.role ? usersText.reasons.sameRole : true
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== true || busy) return
    change({ role }, ({ username }) => {
      notifyDone(text.done(username, usersText.role[role].toLowerCase()))
      onClose()
    })
  }
  return (
    <form onSubmit={submit} className={classes['form']}>
      <NativeSelect
        data-autofocus
        size="xs"
        label={text.role}
        description={usersText.roleMeaning[role]}
        value={role}
        data={ROLES.map((name) => ({ value: name, label: usersText.role[name] }))}
        onChange={({ currentTarget: { value } }) => setRole(ROLES.find((name) => name === value) ?? role)}
      />
      <p className="svc-dim">{text.effect}</p>
      {isOwn && <Callout tone="info">{text.own}</Callout>}
      {newer !== undefined && <UserConflict base={base} newer={newer} onGoOn={goOn} />}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.cancel}
        </Button>
        <ReasonButton type="submit" loading={busy || waitsForNewer} disabledReason={reason}>
          {text.submit}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}
