/** The filters of the list of orders: values in the URL, and the filter of the call. */
import { ORDER_STATUSES } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { PARCEL_STAGES } from '#contract/tracking.ts'

export const ORDER_FILTER_FIELDS = ['search', 'status', 'parcel'] as const
export type OrderFilterValues = Record<(typeof ORDER_FILTER_FIELDS)[number], string>

/** An unknown value, from an old link, filters nothing. */
export function customerOrderFilterFrom(values: OrderFilterValues): CustomerOrderFilter {
  const status = ORDER_STATUSES.find(one => one === values.status)
  const parcel = PARCEL_STAGES.find(one => one === values.parcel)
  return {
    ...(values.search && { search: values.search }),
    ...(status && { status }),
    ...(parcel && { parcel }),
  }
}
