import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { writeSearch } from './search-schema.ts'

/**
 * A screen's state from the URL, and how to change it; `parse` comes from `searchSchema`.
 *
 * `change({ severity: ['HIGH'] })` adds a history entry, `{ replace: true }` suits typing; a key set to undefined leaves the URL.
 * What `parse` drops is taken out of the address as well.
 */
export function useSearchState<Search extends Record<string, unknown>>(
  parse: (raw: Record<string, unknown>) => Search,
): [Search, (change: Partial<Search>, options?: { replace?: boolean }) => void] {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = parse(raw)
  const hasBadValues = writeSearch(search) !== writeSearch(raw)

  const write = (next: (before: Search) => Record<string, unknown>, replace: boolean) => {
    // The route leaves its search untyped, because each screen owns the schema of its own parameters.
    const reducer = ((before: Record<string, unknown>) => next(parse(before))) as never
    void navigate({ to: '.', search: reducer, replace, resetScroll: false })
  }
  useEffect(() => {
    if (hasBadValues) write((before) => before, true)
  })
  return [search, (change, options = {}) => write((before) => ({ ...before, ...change }), options.replace ?? false)]
}
