import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { EmptyState } from '../ui/empty-state.tsx'
import { PartNotLoaded } from '../ui/load-part.ts'
import { PageHeader } from '../ui/page-header.tsx'
import classes from './crash-page.module.css'
import { shellText } from './shell.text.ts'

/** Shown in place of a screen that threw; the frame around it stays usable. */
export function CrashPage({ error }: { error: unknown }) {
  const text = error instanceof PartNotLoaded ? shellText.notLoaded : shellText.crashed
  return (
    <div className={classes['page']} role="alert">
      <PageHeader title={text.title} />
      <EmptyState
        icon={<IconAlertTriangle size={20} aria-hidden />}
        title={text.title}
        description={text.description}
        actions={<Button onClick={() => location.reload()}>{text.action}</Button>}
      />
      <details className={classes['details']}>
        <summary>{shellText.crashed.details}</summary>
        <pre className="svc-mono">{error instanceof Error ? (error.stack ?? error.message) : String(error)}</pre>
      </details>
    </div>
  )
}

/** The same where no frame stands around it. */
export function RootCrashPage({ error }: { error: unknown }) {
  return (
    <main>
      <CrashPage error={error} />
    </main>
  )
}
