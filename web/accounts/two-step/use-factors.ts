import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listFactors } from '#contract/second-factor.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'

/** The user's second factors. An administrator who is signed in as the user may not see them. */
export function useFactors() {
  const { _id: userId } = useUser()
  const isSupport = useIsSupport()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.factors(userId)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(listFactors, { params: { userId } }, { signal }),
    enabled: !isSupport,
  })
  return {
    factors: data,
    failed: isError && !data,
    retry: () => void refetch(),
    /** Factors and signed-in devices have changed. */
    refresh: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        queryClient.invalidateQueries({ queryKey: queryKeys.devices(userId) }),
      ])
    },
  }
}
