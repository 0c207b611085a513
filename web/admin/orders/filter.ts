/** What the list is narrowed to: fields of the address on one side, the call's filter on the other. */
import type { OrderFilter } from '#contract/admin.ts'
import { isId } from '#contract/call.ts'
import { ORDER_STATES, ORDER_STATUSES } from '#contract/orders.ts'
import { PLACES } from '#contract/tracking.ts'
import { dayBegins, dayEnds } from '#web/admin/days.ts'

export const FIELDS = [
  'search',
  'status',
  'state',
  'parcel',
  'userId',
  'batchId',
  'from',
  'to',
] as const
export type FilterValues = Record<(typeof FIELDS)[number], string>

/** As it is written in the list, '#12' is a number as well. */
const bare = (text: string): string => text.replace(/^#\s*/, '')

/** Whether the text can be a number of a bulk order; '' asks for none. */
export const isBatch = (text: string): boolean => text === '' || isId(bare(text))

/** A value that cannot be asked for, from an old link or a slip of the hand, narrows nothing. */
export function filterOf(values: FilterValues): OrderFilter {
  const filter: OrderFilter = {
    search: values.search || undefined,
    status: ORDER_STATUSES.find(status => status === values.status),
    state: ORDER_STATES.find(state => state === values.state),
    parcel: PLACES.find(place => place === values.parcel),
    userId: isId(values.userId) ? values.userId : undefined,
    batchId: isId(bare(values.batchId)) ? bare(values.batchId) : undefined,
    from: dayBegins(values.from),
    to: dayEnds(values.to),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
