import type { ReactNode } from 'react'
import { useCurrentUser } from '../../api/session.ts'
import { paths } from '../../shell/paths.ts'
import { shellText } from '../../shell/shell.text.ts'
import { TabNav } from '../../shell/tab-nav.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { accountText } from './account.text.ts'

const text = accountText.tabs

/** Title and tabs around each part of the account. */
export function AccountFrame({ tab, children }: { tab: string; children: ReactNode }) {
  const user = useCurrentUser()
  return (
    <>
      <PageHeader
        title={`${tab} · ${accountText.title}`}
        heading={accountText.title}
        aside={user === undefined ? undefined : `${user.username}, ${shellText.role[user.role]}`}
      />
      <TabNav
        label={text.label}
        tabs={[
          { to: paths.accountSessions, label: text.sessions },
          { to: paths.accountPassword, label: text.password },
        ]}
      />
      {children}
    </>
  )
}
