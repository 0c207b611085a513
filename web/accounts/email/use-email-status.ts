import { useQuery, useQueryClient } from '@tanstack/react-query'
import { emailStatus } from '#contract/email-ownership.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

/** Whether the user's address is verified, and a change of it. Undefined until it is loaded. */
export function useEmailStatus() {
  const { _id: userId, email } = useUser()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.emailStatus(userId, email)
  const { data: status } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(emailStatus, { params: { userId } }, { signal }),
    // The link is opened in another tab or on another device.
    refetchOnWindowFocus: 'always',
  })
  return { status, refresh: () => queryClient.invalidateQueries({ queryKey }) }
}
