/** What an administrator asked for when he looks for labels, understood. Pure. */
import type { OrderFilter } from '#contract/admin.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import { outward } from '#server/orders/rules.ts'
import { soughtIn } from '#server/orders/search.ts'
import type { Sought } from '#server/orders/search.ts'
import type { OrderState } from '#server/platform/tables.ts'

/** Null for a part that nobody asked for. `states`: any of these; none at all where status and state exclude each other. */
export type Wanted = {
  sought: Sought | null, states: OrderState[] | null, userId: number | null, batchId: number | null, from: Date | null, to: Date | null
}

export function wantedBy(filter: OrderFilter): Wanted {
  const { status, state } = filter
  const states = status === undefined && state === undefined ? null
    : ORDER_STATES.filter(one => (state === undefined || one === state) && (status === undefined || outward(one) === status))
  const number = (id: string | undefined): number | null => id === undefined ? null : Number(id)
  const moment = (at: string | undefined): Date | null => at === undefined ? null : new Date(at)
  return {
    sought: soughtIn(filter.search), states, userId: number(filter.userId), batchId: number(filter.batchId), from: moment(filter.from),
    to: moment(filter.to),
  }
}

/** Whether anything is asked for at all; without it the house's own count of its labels is known. */
export const isNarrowed = (wanted: Wanted): boolean => Object.values(wanted).some(part => part !== null)
