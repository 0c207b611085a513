/** The filters of the list: values in the URL, and the filter of the call. */

import { isId } from '#contract/endpoint.ts'
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

/** '#12', as the list shows it, is accepted too. */
const withoutHash = (text: string): string => text.replace(/^#\s*/, '')

/** '' means no filter. */
export const isBatchIdOrEmpty = (text: string): boolean => text === '' || isId(withoutHash(text))

/** An invalid value, from an old link or a typo, filters nothing. */
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
