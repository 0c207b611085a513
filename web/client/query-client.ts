import { QueryCache, QueryClient } from '@tanstack/react-query'
import { toastError } from '#web/ui/toasts.ts'
import { ApiError } from './send.ts'
import { onSessionEnd } from './session.ts'

/** Another try may help when nothing was answered or the server was busy, never after a refusal. */
const isRetryable = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.status === 0 || reason.status >= 500)

export const queryClient = new QueryClient({
  // What cannot be had says so in its place, and the console why. A toast says it as well only where the specification, 8, has a
  // sentence for one: `meta.failed`. What is refreshed in vain is still there, and whoever asked for it says so.
  queryCache: new QueryCache({
    onError: (reason, { queryKey, meta, state }) => {
      console.error('Could not load', queryKey, reason)
      if (typeof meta?.failed === 'string' && state.data === undefined) toastError(meta.failed)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, reason) => failures < 2 && isRetryable(reason),
    },
    // What spends or changes is sent once; whether to send it again is for the person to decide.
    mutations: { retry: false },
  },
})

onSessionEnd(() => queryClient.clear())
