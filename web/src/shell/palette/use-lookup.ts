import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type LookupItem, lookUp } from '../../api/indicators.ts'
import { paths } from '../paths.ts'

/** Looks values up. One that is known leads to its page at once; everything else comes back as `items`. */
export function useLookup(onLeave: () => void) {
  const navigate = useNavigate()
  const goTo = (item: LookupItem) => {
    if (item.indicator === null) return
    onLeave()
    const exact = item.relation === 'exact'
    // The details route leaves its search untyped; the screen owns its schema.
    const search = (exact ? {} : { asked: item.value ?? item.input, relation: item.relation }) as never
    void navigate({ to: paths.ioc, params: { id: item.indicator.id }, search })
  }
  const lookup = useMutation({
    mutationFn: lookUp,
    onSuccess: (items) => {
      const [only] = items
      if (items.length === 1 && (only?.status === 'known' || only?.status === 'excluded')) goTo(only)
    },
  })
  return { lookup, goTo }
}
