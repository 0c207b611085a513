import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { recentOrders } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { LabelForm } from './form.ts'

/**
 * Chooses the service of the user's newest label once the services are known, where none is chosen
 * yet. `change` is null while an earlier label fills in the form.
 */
export function useLastService(
  services: readonly AvailableService[] | undefined,
  form: LabelForm,
  change: ((fields: Partial<LabelForm>) => void) | null,
): void {
  const { _id: userId } = useUser()
  const { data: orders, isFetching } = useQuery({
    queryKey: queryKeys.lastOrder(userId),
    queryFn: async ({ signal }) => {
      const call = { params: { userId }, query: { limit: 1 } }
      return (await send(recentOrders, call, { signal })).recentOrders
    },
  })
  const isTried = useRef(false)
  useEffect(() => {
    // An answer of an earlier visit may be older than the newest label.
    if (!services || !orders || isFetching || !change || isTried.current) return
    isTried.current = true
    const [last, ...others] = services.filter(({ name }) => name === orders[0]?.service_name)
    if (last && others.length === 0 && form.ServiceName === '') change({ ServiceName: last.uid })
  })
}
