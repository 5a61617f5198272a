import { Link } from '@tanstack/react-router'
import { writeSearch } from './search-schema.ts'
import classes from './view-nav.module.css'

/** One way to look at a list: a name for a set of filters. */
export type View<Search> = { id: string; label: string; search: Search }

/** The views of a list as links. The one whose filters are set is marked. @param to path of the list */
export function ViewNav<Search extends Record<string, unknown>>({
  label,
  to,
  views,
  filters,
}: {
  label: string
  to: string
  views: readonly View<Search>[]
  filters: Search
}) {
  const shown = inOrder(filters)
  return (
    <nav aria-label={label} className={classes['views']}>
      {views.map(({ id, label: words, search }) => (
        // The route leaves its search untyped, because the screen owns its schema.
        <Link
          key={id}
          to={to}
          search={search as never}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={inOrder(search) === shown ? 'page' : undefined}
          className={classes['view']}
        >
          {words}
        </Link>
      ))}
    </nav>
  )
}

/** The same filters in whatever order they were named. */
function inOrder(search: Record<string, unknown>): string {
  return writeSearch(Object.fromEntries(Object.entries(search).sort(([one], [other]) => (one < other ? -1 : 1))))
}
