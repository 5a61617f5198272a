import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { login } from '../../api/session.ts'
import { paths, safeReturnPath } from '../../shell/paths.ts'
import { loginText } from './login.text.ts'
import classes from './login-screen.module.css'

type Failure = { text: string; requestId: string | undefined }

/** User name and password; one text for a wrong name and a wrong password alike. */
export function LoginForm() {
  const search = useSearch({ from: paths.login })
  const router = useRouter()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [visible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const summary = useRef<HTMLDivElement>(null)

  const attempt = useMutation({
    mutationFn: () => login(username.trim(), password),
    onSuccess: () => router.history.replace(safeReturnPath(search.return)),
    onError: (error) => setFailure(failureOf(toProblem(error))),
  })
  useEffect(() => {
    if (failure !== undefined) summary.current?.focus()
  }, [failure])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (attempt.isPending) return
    setFailure(undefined)
    if (username.trim() === '' || password === '') setFailure({ text: loginText.missing, requestId: undefined })
    else attempt.mutate()
  }
  const noteCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form onSubmit={submit} noValidate className={classes['form']}>
      {failure !== undefined && (
        <div ref={summary} role="alert" tabIndex={-1} className={classes['failure']}>
          <p className={classes['failureTitle']}>{loginText.failed}</p>
          <p>{failure.text}</p>
          {failure.requestId !== undefined && (
            <p className={classes['request']}>
              {loginText.requestId} <code className="svc-mono">{failure.requestId}</code>
            </p>
          )}
        </div>
      )}
      <TextInput
        size="sm"
        label={loginText.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={64}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        size="sm"
        label={loginText.password}
        name="password"
        autoComplete="current-password"
        maxLength={1024}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        onKeyDown={noteCapsLock}
        onKeyUp={noteCapsLock}
        onBlur={() => setCapsLock(false)}
        description={capsLock ? loginText.capsLock : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': visible ? loginText.hidePassword : loginText.showPassword, tabIndex: 0 }}
      />
      <Button type="submit" size="sm" fullWidth mt={4} loading={attempt.isPending}>
        {loginText.submit}
      </Button>
    </form>
  )
}

function failureOf(problem: ApiProblem): Failure {
  if (problem.status === 429) return { text: loginText.blocked(problem.retryAfterSeconds), requestId: undefined }
  // 422 means the text cannot be a name or password at all: the same words, so that nothing is learned from it.
  if (problem.status === 401 || problem.status === 403 || problem.status === 422) return { text: loginText.refused, requestId: undefined }
  return { text: problem.detail, requestId: problem.requestId }
}
