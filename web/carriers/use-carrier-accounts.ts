import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listCarrierAccounts, retryCarrier, setServiceSources } from '#contract/carriers.ts'
import type { ServiceSources } from '#contract/carriers.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

const REFRESH_MS = 30_000

type AccountList = ResponseData<typeof listCarrierAccounts>

/** The accounts with their states, and which of them sells what; states are asked for every 30 seconds. */
export function useCarrierAccounts() {
  const { _id } = useUser()
  const queries = useQueryClient()
  const queryKey = queryKeys.carrierAccounts(_id)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(listCarrierAccounts, {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return {
    data,
    isFailed: isError && !data,
    reload: () => void refetch(),
    /** Throws ApiError. */
    resume: async (account: string) => {
      const { message } = await send(retryCarrier, { query: { account } })
      await refetch()
      return message
    },
    /** Throws ApiError: 409 if another administrator has changed them since. */
    save: async ({ uid, first, second }: ServiceSources, before: ServiceSources) => {
      const seen = { first: before.first, second: before.second }
      const { service } = await send(setServiceSources, {
        body: { uid, sources: { first, second }, seen },
      })
      queries.setQueryData<AccountList>(
        queryKey,
        old =>
          old && { ...old, services: old.services.map(one => (one.uid === uid ? service : one)) },
      )
    },
  }
}
