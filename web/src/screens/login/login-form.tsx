import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { login } from '../../api/session.ts'
import { Callout } from '../../ui/callout.tsx'
import { useCountdown } from '../../ui/use-countdown.ts'
import { loginText, waitWords } from './login.text.ts'
import classes from './login-screen.module.css'

type Failure =
  | { kind: 'refused'; text: string; requestId: string | undefined }
  /** `untilMs`: when the next try makes sense, ms since the epoch; undefined when the server did not say. */
  | { kind: 'blocked'; untilMs: number | undefined }

/** User name and password; one text for a wrong name and a wrong password alike. */
export function LoginForm() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [visible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const summary = useRef<HTMLElement>(null)

  const attempt = useMutation({
    // The shell leads on as soon as there is a session.
    mutationFn: () => login(username.trim(), password),
    onError: (error) => setFailure(failureOf(toProblem(error))),
  })
  useEffect(() => {
    if (failure !== undefined) summary.current?.focus()
  }, [failure])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (attempt.isPending) return
    setFailure(undefined)
    if (username.trim() === '' || password === '') setFailure({ kind: 'refused', text: loginText.missing, requestId: undefined })
    else attempt.mutate()
  }
  const noteCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form onSubmit={submit} noValidate className={classes['form']}>
      {failure !== undefined && (
        <Callout ref={summary} tone="danger" role="alert" title={failure.kind === 'blocked' ? loginText.blockedTitle : loginText.failed}>
          {failure.kind === 'blocked' ? <Blocked untilMs={failure.untilMs} /> : <Refused {...failure} />}
        </Callout>
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

function Refused({ text, requestId }: { text: string; requestId: string | undefined }) {
  return (
    <>
      <p>{text}</p>
      {requestId !== undefined && (
        <p className={classes['request']}>
          {loginText.requestId} <code className="svc-mono">{requestId}</code>
        </p>
      )}
    </>
  )
}

/** The form stays usable: whoever knows better may try, and another account is not held back by this one. */
function Blocked({ untilMs }: { untilMs: number | undefined }) {
  const seconds = useCountdown(untilMs)
  return (
    <>
      <p>{loginText.blockedWhy}</p>
      <p>
        {untilMs === undefined ? (
          loginText.blockedUnknown
        ) : seconds === 0 ? (
          loginText.blockedOver
        ) : (
          <>
            {loginText.blockedWait} {/* Read once with the alert, not at every second. */}
            <b role="timer" aria-live="off">
              {waitWords(seconds)}
            </b>
          </>
        )}
      </p>
    </>
  )
}

function failureOf({ status, code, detail, requestId, retryAfterSeconds }: ApiProblem): Failure {
  if (code === 'login_blocked')
    return { kind: 'blocked', untilMs: retryAfterSeconds === undefined ? undefined : Date.now() + retryAfterSeconds * 1000 }
  // 422 means the text cannot be a name or password at all: the same words, so that nothing is learned from it.
  if (status === 401 || status === 422) return { kind: 'refused', text: loginText.refused, requestId: undefined }
  return { kind: 'refused', text: detail, requestId }
}
