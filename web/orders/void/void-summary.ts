/** The results of a void, and which labels can be voided. */
import type { Order, VoidStatus } from '#contract/orders.ts'
import { isUnderWay } from '#contract/tracking.ts'

/** The server's result for one label. */
export type VoidResponse = { orderId: string; void: VoidStatus; message: string }

export type VoidSummary = {
  voided: number
  /** Refunded dollars. */
  refunded: number
  waiting: number
  /** In request order, with reasons. */
  refused: { order: Order; why: string }[]
}

/**
 * A label can be voided if it was bought, is not being voided, and its parcel is not in transit.
 * After a refusal it can be voided again.
 */
export const canVoid = ({
  status,
  void: voidStatus,
  tracking,
}: Pick<Order, 'status' | 'void' | 'tracking'>): boolean =>
  status === 'completed' && voidStatus !== 'requested' && !(tracking && isUnderWay(tracking.status))

/** In dollars; added as cents, because sums of binary fractions have errors. */
export const totalPriceDollars = (orders: readonly Pick<Order, 'price'>[]): number =>
  orders.reduce((cents, { price }) => cents + Math.round(price * 100), 0) / 100

/** A label without a result counts as waiting: its void may be in progress. */
export function summarizeVoids(
  orders: readonly Order[],
  results: readonly VoidResponse[],
): VoidSummary {
  const resultById = new Map(results.map(answer => [answer.orderId, answer]))
  const groups: Record<VoidStatus, Order[]> = { voided: [], requested: [], refused: [] }
  for (const order of orders) groups[resultById.get(order._id)?.void ?? 'requested'].push(order)
  return {
    voided: groups.voided.length,
    refunded: totalPriceDollars(groups.voided),
    waiting: groups.requested.length,
    refused: groups.refused.map(order => ({ order, why: resultById.get(order._id)!.message })),
  }
}
