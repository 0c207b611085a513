import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import { statusesInStage } from '#contract/tracking.ts'
import { orderStatusFor } from '#server/orders/rules.ts'
import { parseSearch } from '#server/orders/search.ts'
import type { OrderQuery } from '#server/orders/service.ts'

export function toOrderQuery(filter: AdminOrderFilter): OrderQuery {
  const { status, state, parcel } = filter
  const states =
    status === undefined && state === undefined
      ? null
      : ORDER_STATES.filter(
          one =>
            (state === undefined || one === state)
            && (status === undefined || orderStatusFor(one) === status),
        )
  const number = (id: string | undefined): number | null => (id === undefined ? null : Number(id))
  const moment = (at: string | undefined): Date | null => (at === undefined ? null : new Date(at))
  return {
    terms: parseSearch(filter.search),
    states,
    parcels: parcel === undefined ? null : statusesInStage(parcel),
    userId: number(filter.userId),
    batchId: number(filter.batchId),
    service: null,
    from: moment(filter.from),
    to: moment(filter.to),
  }
}

/** Without any filter the stored count of orders is used. */
export const hasFilter = (query: OrderQuery): boolean =>
  Object.values(query).some(part => part !== null)
