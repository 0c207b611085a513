/** What the list of orders is narrowed to: fields of the address on one side, the call's wish on the other. */
import { ORDER_STATUSES } from '#contract/orders.ts'
import type { OrdersWish } from '#contract/orders.ts'
import { PLACES } from '#contract/tracking.ts'

export const FIELDS = ['search', 'status', 'parcel'] as const
export type FilterValues = Record<(typeof FIELDS)[number], string>

/** A value that cannot be asked for, from an old link, narrows nothing. */
export function wishOf(values: FilterValues): OrdersWish {
  const status = ORDER_STATUSES.find(one => one === values.status)
  const parcel = PLACES.find(one => one === values.parcel)
  return {
    ...(values.search && { search: values.search }),
    ...(status && { status }),
    ...(parcel && { parcel }),
  }
}
