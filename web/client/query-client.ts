import { focusManager, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { toastError } from '#web/ui/toasts.ts'
import { queryKeys } from './query-keys.ts'
import { ApiError } from './send.ts'
import { onSessionEnd, refreshUserOlderThan } from './session.ts'

/** A retry may help without a response or after a server error, never after a refusal. */
const isRetryable = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.status === 0 || reason.status >= 500)

/** Older answers are asked for again when the page is seen again. */
const STALE_MS = 10_000

export const queryClient = new QueryClient({
  // Each screen shows its own load errors. `meta.errorToast` adds a toast, unless a refresh failed and old data is shown.
  queryCache: new QueryCache({
    onError: (reason, { queryKey, meta, state }) => {
      console.error('Could not load', queryKey, reason)
      if (typeof meta?.errorToast === 'string' && state.data === undefined)
        toastError(meta.errorToast)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // A browser without internet still reaches a server on its machine.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, reason) => failures < 2 && isRetryable(reason),
    },
    // Calls that change something are sent once; the user decides whether to send them again.
    mutations: { retry: false },
  },
})

const [PUBLIC] = queryKeys.publicSettings()

// What the server tells everybody stays: a page that needs it would lose what is typed there.
onSessionEnd(() =>
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== PUBLIC }),
)

// The library itself loads only the lists again.
const refreshWhen = (isThere: boolean): void => {
  if (isThere) void refreshUserOlderThan(STALE_MS)
}
focusManager.subscribe(refreshWhen)
onlineManager.subscribe(refreshWhen)
