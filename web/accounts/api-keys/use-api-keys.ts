import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listKeys } from '#contract/api-keys.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

/** The user's API keys, newest first. */
export function useApiKeys() {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.apiKeys(userId)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(listKeys, { params: { userId } }, { signal }),
  })
  return {
    keys: data?.keys,
    failed: isError && !data,
    retry: () => void refetch(),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
  }
}
