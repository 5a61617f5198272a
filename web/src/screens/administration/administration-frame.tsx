import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '../../shell/paths.ts'
import { TabNav } from '../../shell/tab-nav.tsx'
import { useCan } from '../../shell/use-can.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { administrationText as text } from './administration.text.ts'

const TABS = [
  { to: paths.users, label: text.tabs.users },
  { to: paths.exclusions, label: text.tabs.exclusions },
  { to: paths.audit, label: text.tabs.audit },
  { to: paths.settings, label: text.tabs.settings },
] as const

/** Title and tabs around each part; whoever is no administrator is told so, and nothing is asked of the server. */
export function AdministrationFrame({ tab, aside, children }: { tab: string; aside?: ReactNode; children: ReactNode }) {
  const reason = useCan()('administration.open')
  return (
    <>
      <PageHeader title={`${tab} · ${text.title}`} heading={text.title} aside={aside} />
      <TabNav label={text.tabs.label} tabs={TABS} />
      {reason === true ? (
        children
      ) : (
        <EmptyState icon={<IconLock size={20} aria-hidden />} title={text.closed} description={text.closedNext(reason)} />
      )}
    </>
  )
}
