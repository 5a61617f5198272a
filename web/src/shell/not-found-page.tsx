import { IconError404 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { HOME } from './paths.ts'
import { shellText } from './shell.text.ts'

/** An address without a screen. */
export function NotFoundPage() {
  const text = shellText.notFound
  return (
    <>
      <PageHeader title={text.title} />
      <EmptyState
        icon={<IconError404 size={22} aria-hidden />}
        title={text.reason}
        description={text.description}
        actions={<Link to={HOME}>{text.action}</Link>}
      />
    </>
  )
}
