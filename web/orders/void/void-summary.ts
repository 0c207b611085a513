/** What came of a wish to void labels, sorted for the reader. */
import type { Order, VoidStatus } from '#contract/orders.ts'
import { isUnderWay } from '#contract/tracking.ts'

/** What was said about a label. */
export type VoidResponse = { orderId: string; void: VoidStatus; message: string }

export type VoidSummary = {
  voided: number
  /** Dollars that are back. */
  refunded: number
  waiting: number
  /** With why, in the order they were asked for. */
  refused: { order: Order; why: string }[]
}

/**
 * Only a label that was bought, that nobody is voiding and whose parcel is not under way can be voided. One whose void was refused may
 * be asked for again.
 */
export const canVoid = ({
  status,
  void: voidStatus,
  tracking,
}: Pick<Order, 'status' | 'void' | 'tracking'>): boolean =>
  status === 'completed' && voidStatus !== 'requested' && !(tracking && isUnderWay(tracking.status))

/** Sums in dollars without the dust of binary fractions. */
export const sumPrices = (orders: readonly Pick<Order, 'price'>[]): number =>
  orders.reduce((cents, { price }) => cents + Math.round(price * 100), 0) / 100

/** A label that the answer does not name counts as waiting: its void may be under way. */
export function summarizeVoids(
  orders: readonly Order[],
  results: readonly VoidResponse[],
): VoidSummary {
  const resultById = new Map(results.map(answer => [answer.orderId, answer]))
  const groups: Record<VoidStatus, Order[]> = { voided: [], requested: [], refused: [] }
  for (const order of orders) groups[resultById.get(order._id)?.void ?? 'requested'].push(order)
  return {
    voided: groups.voided.length,
    refunded: sumPrices(groups.voided),
    waiting: groups.requested.length,
    refused: groups.refused.map(order => ({ order, why: resultById.get(order._id)!.message })),
  }
}
