import { isId } from '#contract/endpoint.ts'
/** What the list is narrowed to: fields of the address on one side, the call's filter on the other. */
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { ORDER_STATES, ORDER_STATUSES } from '#contract/orders.ts'
import { PARCEL_STAGES } from '#contract/tracking.ts'
import { startOfDay, endOfDay } from '#web/ui/date-range.ts'

export const ADMIN_ORDER_FILTER_FIELDS = [
  'search',
  'status',
  'state',
  'parcel',
  'userId',
  'batchId',
  'from',
  'to',
] as const
export type AdminOrderFilterValues = Record<(typeof ADMIN_ORDER_FILTER_FIELDS)[number], string>

/** As it is written in the list, '#12' is a number as well. */
const withoutHash = (text: string): string => text.replace(/^#\s*/, '')

/** Whether the text can be a number of a bulk order; '' asks for none. */
export const isBatchIdOrEmpty = (text: string): boolean => text === '' || isId(withoutHash(text))

/** A value that cannot be asked for, from an old link or a slip of the hand, narrows nothing. */
export function adminOrderFilterFrom(values: AdminOrderFilterValues): AdminOrderFilter {
  const filter: AdminOrderFilter = {
    search: values.search || undefined,
    status: ORDER_STATUSES.find(status => status === values.status),
    state: ORDER_STATES.find(state => state === values.state),
    parcel: PARCEL_STAGES.find(stage => stage === values.parcel),
    userId: isId(values.userId) ? values.userId : undefined,
    batchId: isId(withoutHash(values.batchId)) ? withoutHash(values.batchId) : undefined,
    from: startOfDay(values.from),
    to: endOfDay(values.to),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
