/** The filters of the list of orders: values in the URL, and the filter of the call. */
import { isId } from '#contract/endpoint.ts'
import { isServiceUid, ORDER_STATUSES } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { PARCEL_STAGES } from '#contract/tracking.ts'
import { endOfDay, startOfDay } from '#web/ui/date-range.ts'

export const ORDER_FILTER_FIELDS = [
  'search',
  'status',
  'parcel',
  'service',
  'batchId',
  'from',
  'to',
] as const
export type OrderFilterValues = Record<(typeof ORDER_FILTER_FIELDS)[number], string>

/** An unknown value, from an old link, filters nothing. */
export function customerOrderFilterFrom(values: OrderFilterValues): CustomerOrderFilter {
  const filter: CustomerOrderFilter = {
    search: values.search || undefined,
    status: ORDER_STATUSES.find(one => one === values.status),
    parcel: PARCEL_STAGES.find(one => one === values.parcel),
    service: isServiceUid(values.service) ? values.service : undefined,
    batchId: isId(values.batchId) ? values.batchId : undefined,
    from: startOfDay(values.from),
    to: endOfDay(values.to),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
