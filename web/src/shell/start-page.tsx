import { Button, Loader } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { RootCrashPage } from './crash-page.tsx'
import { CannotStart } from './guard.ts'
import { ProductMark } from './product-mark.tsx'
import { shellText } from './shell.text.ts'
import classes from './start-page.module.css'

const text = shellText.start
/** How often a start that failed is tried again, ms. Assumption: soon enough to feel automatic, seldom enough for a service that is down. */
const RETRY_MS = 4000

/** Before the first screen: the session is being looked up, or nobody can say whether there is one. */
export function StartPage({ error }: { error?: unknown }) {
  if (error instanceof CannotStart) return <Unreachable problem={error.problem} />
  return error === undefined ? <Notice words={text.looking} busy /> : <RootCrashPage error={error} />
}

function Unreachable({ problem }: { problem: ApiProblem }) {
  const router = useRouter()
  const waitMs = Math.max(RETRY_MS, (problem.retryAfterSeconds ?? 0) * 1000)
  useEffect(() => {
    const timer = setInterval(() => void router.invalidate(), waitMs)
    return () => clearInterval(timer)
  }, [router, waitMs])
  return (
    <Notice
      words={wordsFor(problem)}
      hint={problem.requestId === undefined ? text.again : `${text.again} ${text.request(problem.requestId)}`}
    >
      <Button variant="default" onClick={() => void router.invalidate()}>
        {text.retry}
      </Button>
    </Notice>
  )
}

function Notice({ words, hint, busy = false, children }: { words: string; hint?: string; busy?: boolean; children?: ReactNode }) {
  return (
    <main className={classes['page']}>
      <title>{shellText.product}</title>
      <ProductMark size={36} />
      <div role="status">
        <h1 className={classes['words']}>{words}</h1>
      </div>
      {hint !== undefined && <p className={classes['hint']}>{hint}</p>}
      {busy && <Loader size={18} aria-hidden />}
      {children}
    </main>
  )
}

function wordsFor({ status, code, detail }: ApiProblem): string {
  if (status === 0) return text.serviceDown
  if (code === 'database_unavailable') return text.databaseDown
  return detail
}
