import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './send.ts'
import { whenSessionEnds } from './session.ts'

/** Another try may help when nothing was answered or the server was busy, never after a refusal. */
const mayHelp = (reason: unknown): boolean => reason instanceof ApiError && (reason.status === 0 || reason.status >= 500)

export const queries = new QueryClient({
  // A list that cannot be had is no reason for a toast: the list itself says so, and the console why (specification, 8).
  queryCache: new QueryCache({ onError: (reason, { queryKey }) => console.error('Could not load', queryKey, reason) }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, reason) => failures < 2 && mayHelp(reason) },
    // What spends or changes is sent once; whether to send it again is for the person to decide.
    mutations: { retry: false },
  },
})

whenSessionEnds(() => queries.clear())
