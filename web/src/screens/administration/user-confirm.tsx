import { useEffect, useRef } from 'react'
import { toProblem } from '../../api/problem.ts'
import { type User, useResetPassword, useRevokeSessions } from '../../api/users.ts'
import { Callout } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import classes from './administration.module.css'
import { usersText } from './administration.text.ts'
import { useUserChange } from './use-user-change.ts'
import { UserConflict } from './user-conflict.tsx'

type Act = 'disable' | 'reset' | 'revoke'

export type UserConfirmProps = {
  /** What is asked; undefined closes the dialog. */
  act: Act | undefined
  user: User | undefined
  isOwn: boolean
  onClose: () => void
  onPassword: (user: User, password: string) => void
}

/** Asks for the name before an account loses its access, its password or its sessions. */
export function UserConfirm({ act, user, isOwn, onClose, onPassword }: UserConfirmProps) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef<{ act: Act; user: User } | undefined>(undefined)
  if (act !== undefined && user !== undefined) last.current = { act, user }
  const shown = last.current
  if (shown === undefined) return null
  const isOpen = act !== undefined && user !== undefined
  return <Question key={`${shown.act} ${shown.user.id}`} {...shown} {...{ isOpen, isOwn, onClose, onPassword }} />
}

type QuestionProps = { act: Act; user: User; isOpen: boolean } & Pick<UserConfirmProps, 'isOwn' | 'onClose' | 'onPassword'>

function Question({ act, user, isOpen, isOwn, onClose, onPassword }: QuestionProps) {
  const words = usersText.confirm[act]
  const status = useUserChange(user)
  const reset = useResetPassword()
  const revoke = useRevokeSessions()
  const { goOn } = status
  const { reset: forgetReset } = reset
  const { reset: forgetRevoke } = revoke
  const begin = useRef<() => void>(() => undefined)
  begin.current = () => {
    goOn()
    forgetReset()
    forgetRevoke()
  }
  useEffect(() => {
    // Each opening begins with the account as it is now.
    if (isOpen) begin.current()
  }, [isOpen])

  const done = () => {
    notifyDone(words.done(user.username))
    onClose()
  }
  const onConfirm = () => {
    if (act === 'disable') status.change({ status: 'DISABLED' }, done)
    else if (act === 'revoke') revoke.mutate(user.id, { onSuccess: done })
    else
      reset.mutate(user.id, {
        onSuccess: ({ generated_password }) => {
          done()
          if (generated_password !== null) onPassword(user, generated_password)
        },
      })
  }
  const error = reset.error ?? revoke.error
  const problem = status.problem ?? (error === null ? undefined : toProblem(error))
  return (
    <ConfirmDialog
      open={isOpen}
      title={words.title(user.username)}
      confirmLabel={words.submit}
      danger
      busy={status.busy || status.waitsForNewer || reset.isPending || revoke.isPending}
      typeToConfirm={user.username}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className={classes['question']}>
        <p>{words.what(user.active_sessions)}</p>
        {isOwn && <Callout tone="info">{words.own}</Callout>}
        {status.newer !== undefined && <UserConflict base={status.base} newer={status.newer} onGoOn={goOn} />}
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </div>
    </ConfirmDialog>
  )
}
