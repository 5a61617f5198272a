import { QueryClient } from '@tanstack/react-query'
import { toProblem } from './problem.ts'

/** How often a failed read is tried again. Assumption: twice bridges a restart; a 4xx will not change by itself. */
const MAX_RETRIES = 2

/** The one cache of server state; kept for the life of the page and emptied at logout. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => {
        const { status } = toProblem(error)
        return (status === 0 || status >= 500) && failures < MAX_RETRIES
      },
    },
    mutations: { retry: false },
  },
})
