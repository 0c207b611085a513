import { useQuery } from '@tanstack/react-query'
import { publicSettings } from '#contract/system.ts'
import { queryKeys } from './query-keys.ts'
import { send } from './send.ts'

/** What the server tells everybody about this installation. It is loaded once. */
export const PUBLIC_SETTINGS_QUERY = {
  queryKey: queryKeys.publicSettings(),
  queryFn: () => send(publicSettings, {}),
  staleTime: Infinity,
}

export const usePublicSettings = () => useQuery(PUBLIC_SETTINGS_QUERY)
