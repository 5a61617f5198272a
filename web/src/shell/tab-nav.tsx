import { Link } from '@tanstack/react-router'
import type { paths } from './paths.ts'
import classes from './tab-nav.module.css'

export type TabPath = (typeof paths)[
  | 'accountSessions'
  | 'accountPassword'
  | 'users'
  | 'exclusions'
  | 'audit'
  | 'settings'
  | 'sources'
  | 'quality']

/** The parts of one place, each at an address of its own. */
export function TabNav({ label, tabs }: { label: string; tabs: readonly { to: TabPath; label: string }[] }) {
  return (
    <nav aria-label={label} className={classes['tabs']}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={classes['tab']} activeOptions={{ includeSearch: false, exact: true }}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
