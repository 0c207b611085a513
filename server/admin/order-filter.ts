/** What an administrator asked for when he looks for labels, understood. Pure. */
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import { statusesInStage } from '#contract/tracking.ts'
import type { OrderQuery } from '#server/orders/service.ts'
import { orderStatusFor } from '#server/orders/rules.ts'
import { parseSearch } from '#server/orders/search.ts'

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
    from: moment(filter.from),
    to: moment(filter.to),
  }
}

/** Whether anything is asked for at all; without it the house's own count of its labels is known. */
export const hasFilter = (wanted: OrderQuery): boolean =>
  Object.values(wanted).some(part => part !== null)
