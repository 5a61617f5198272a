import { Button, Checkbox, Modal, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { ROLES, type Role, useCreateUser } from '../../api/users.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './administration.module.css'
import { usersText } from './administration.text.ts'

const text = usersText.create
/** Source: docs/decisions/0008. */
const NAME_MAX_CHARACTERS = 64
const EMAIL_MAX_CHARACTERS = 254
const PASSWORD_MAX_CHARACTERS = 1024

export type CreateDialogProps = {
  open: boolean
  onClose: () => void
  /** `password` is the generated one; null when the administrator chose it. */
  onCreated: (user: { id: string; username: string }, password: string | null) => void
}

/** Asks for a new account. */
export function CreateDialog({ open, onClose, onCreated }: CreateDialogProps) {
  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={text.title}
      size={480}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': uiText.close }}
    >
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Modal>
  )
}

function CreateForm({ onClose, onCreated }: Omit<CreateDialogProps, 'open'>) {
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('VIEWER')
  const [chosen, setChosen] = useState<string>()
  const creation = useCreateUser()
  const problem = creation.error === null ? undefined : toProblem(creation.error)
  const faults = problem === undefined ? {} : faultsOf(problem)
  const reason = username.trim() === '' ? usersText.reasons.needsName : true
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== true || creation.isPending) return
    const body = {
      username: username.trim(),
      role,
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(chosen === undefined ? {} : { password: chosen }),
    }
    creation.mutate(body, { onSuccess: (user) => onCreated(user, user.generated_password) })
  }
  return (
    <form onSubmit={submit} noValidate className={classes['form']}>
      <TextInput
        data-autofocus
        label={text.name}
        description={text.nameHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={NAME_MAX_CHARACTERS}
        value={username}
        error={faults.username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        label={text.role}
        description={usersText.roleMeaning[role]}
        value={role}
        data={ROLES.map((name) => ({ value: name, label: usersText.role[name] }))}
        onChange={({ currentTarget: { value } }) => setRole(ROLES.find((name) => name === value) ?? 'VIEWER')}
      />
      <TextInput
        label={text.email}
        placeholder={text.emailHint}
        type="email"
        autoComplete="off"
        maxLength={EMAIL_MAX_CHARACTERS}
        value={email}
        error={faults.email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Checkbox
        label={text.own}
        description={chosen === undefined ? text.generated : undefined}
        checked={chosen !== undefined}
        onChange={(event) => setChosen(event.currentTarget.checked ? '' : undefined)}
      />
      {chosen !== undefined && (
        <PasswordInput
          label={text.password}
          description={text.passwordHint}
          autoComplete="new-password"
          maxLength={PASSWORD_MAX_CHARACTERS}
          value={chosen}
          error={faults.password}
          // Mantine marks the box around the input instead of the input.
          aria-invalid={faults.password !== undefined}
          onChange={(event) => setChosen(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': usersText.create.password, tabIndex: 0 }}
        />
      )}
      {problem !== undefined && Object.keys(faults).length === 0 && <ProblemNotice problem={problem} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.cancel}
        </Button>
        <ReasonButton type="submit" loading={creation.isPending} disabledReason={reason}>
          {text.submit}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}

type Faults = { username?: string; email?: string; password?: string }

/** The server's words at the fields that they are about. */
function faultsOf(problem: ApiProblem): Faults {
  const username = problem.fieldMessage('username') ?? (problem.code === 'duplicate_name' ? problem.detail : undefined)
  const email = problem.fieldMessage('email')
  const password = problem.fieldMessage('password') ?? (problem.code === 'password_policy' ? problem.detail : undefined)
  return {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...(password === undefined ? {} : { password }),
  }
}
