import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Callout } from './callout.tsx'
import { CopyButton } from './copy-button.tsx'
import classes from './problem-notice.module.css'
import { uiText } from './ui.text.ts'

/** What a notice needs of a failed request; an `ApiProblem` fits. */
export type ProblemShape = { status: number; detail: string; requestId: string | undefined; retryAfterSeconds?: number | undefined }

/** A failed request in words: what happened, what to do, the request number to copy, and a way to try again. */
export function ProblemNotice({
  problem,
  onRetry,
  title,
}: {
  problem: ProblemShape
  onRetry?: (() => void) | undefined
  title?: string | undefined
}) {
  return (
    <Callout
      tone="danger"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={title ?? (problem.status === 0 ? uiText.problem.offline : uiText.problem.title)}
      actions={
        onRetry !== undefined && (
          <Button variant="default" onClick={onRetry}>
            {uiText.retry}
          </Button>
        )
      }
    >
      <p>{problem.detail}</p>
      <p className="svc-dim">{nextStep(problem)}</p>
      {problem.requestId !== undefined && (
        <p className={classes['request']}>
          {uiText.requestId} <code className="svc-mono">{problem.requestId}</code>
          <CopyButton text={problem.requestId} what={uiText.requestId} />
        </p>
      )}
    </Callout>
  )
}

function nextStep({ status, retryAfterSeconds }: ProblemShape): string {
  const steps = uiText.problem.nextStep
  if (status === 0) return steps.network
  if (status === 403) return steps.forbidden
  if (status === 404) return steps.missing
  if (status === 409) return steps.conflict
  if (status === 429) return steps.tooMany(retryAfterSeconds)
  return status >= 500 ? steps.server : steps.invalid
}
