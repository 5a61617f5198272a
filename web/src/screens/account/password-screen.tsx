import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useChangePassword } from '../../api/account.ts'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { useCurrentUser } from '../../api/session.ts'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import classes from './account.module.css'
import { accountText } from './account.text.ts'
import { AccountFrame } from './account-frame.tsx'

const text = accountText.password
/** Source: spec, "Limits"; docs/decisions/0008 for the longest. */
const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 1024

const EMPTY = { current: '', next: '', repeat: '' }
type Draft = typeof EMPTY
type Faults = Partial<Record<keyof Draft, string>>

/** Another password for the reader's own account. */
export function PasswordScreen() {
  return (
    <AccountFrame tab={accountText.tabs.password}>
      <div className={classes['narrow']}>
        <SectionPanel title={text.title}>
          <PasswordForm />
        </SectionPanel>
      </div>
    </AccountFrame>
  )
}

function PasswordForm() {
  const user = useCurrentUser()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [faults, setFaults] = useState<Faults>({})
  const [visible, setVisible] = useState(false)
  const change = useChangePassword()
  const problem = change.error === null ? undefined : toProblem(change.error)
  const refused = problem === undefined ? {} : faultsOf(problem)
  useEffect(() => {
    // The first field that is wrong is where the reader goes on.
    if (change.isError || Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [change.isError, faults])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    change.reset()
    const found = check(draft)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    change.mutate(
      { current_password: draft.current, new_password: draft.next },
      {
        onSuccess: () => {
          setDraft(EMPTY)
          notifyDone(text.done)
        },
      },
    )
  }
  const field = (name: keyof Draft) => ({
    size: 'sm' as const,
    maxLength: MAX_CHARACTERS,
    value: draft[name],
    visible,
    onVisibilityChange: setVisible,
    visibilityToggleButtonProps: { 'aria-label': text.show, 'aria-pressed': visible, tabIndex: 0 },
    error: faults[name] ?? refused[name],
    // Mantine marks the box around the input instead of the input.
    'aria-invalid': (faults[name] ?? refused[name]) !== undefined,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setDraft((before) => ({ ...before, [name]: value }))
      setFaults({})
      change.reset()
    },
  })
  return (
    <form ref={form} onSubmit={submit} noValidate className={classes['form']}>
      {/* For password managers, which would otherwise not know whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
      <PasswordInput {...field('current')} label={text.current} autoComplete="current-password" />
      <PasswordInput {...field('next')} label={text.next} description={text.rules} autoComplete="new-password" />
      <PasswordInput {...field('repeat')} label={text.repeat} autoComplete="new-password" />
      {problem !== undefined && Object.keys(refused).length === 0 && <ProblemNotice problem={problem} />}
      <div className={classes['formEnd']}>
        <p>{text.effect}</p>
        <Button type="submit" size="sm" loading={change.isPending}>
          {text.submit}
        </Button>
      </div>
    </form>
  )
}

/** What can be said without asking the server; the rest is its own to judge. */
function check({ current, next, repeat }: Draft): Faults {
  return {
    ...(current === '' ? { current: text.missing } : {}),
    ...(next === '' ? { next: text.missing } : [...next].length < MIN_CHARACTERS ? { next: text.tooShort } : {}),
    ...(repeat === '' ? { repeat: text.missing } : repeat !== next ? { repeat: text.differs } : {}),
  }
}

/** The server's words at the fields that they are about. */
function faultsOf(problem: ApiProblem): Faults {
  const current = problem.fieldMessage('current_password')
  const next = problem.fieldMessage('new_password') ?? problem.fieldMessage('password') ?? policyWords(problem)
  return { ...(current === undefined ? {} : { current }), ...(next === undefined ? {} : { next }) }
}

function policyWords({ code, detail }: ApiProblem): string | undefined {
  return code === 'password_policy' ? detail : undefined
}
