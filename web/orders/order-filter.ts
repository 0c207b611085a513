/** What the list of orders is narrowed to: fields of the address on one side, the call's wish on the other. */
import { ORDER_STATUSES } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { PARCEL_STAGES } from '#contract/tracking.ts'

export const ORDER_FILTER_FIELDS = ['search', 'status', 'parcel'] as const
export type OrderFilterValues = Record<(typeof ORDER_FILTER_FIELDS)[number], string>

/** A value that cannot be asked for, from an old link, narrows nothing. */
export function customerOrderFilterFrom(values: OrderFilterValues): CustomerOrderFilter {
  const status = ORDER_STATUSES.find(one => one === values.status)
  const parcel = PARCEL_STAGES.find(one => one === values.parcel)
  return {
    ...(values.search && { search: values.search }),
    ...(status && { status }),
    ...(parcel && { parcel }),
  }
}
