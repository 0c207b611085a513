/** One label, in whatever format its seller wants it. */
import { CannotPrint } from '#server/labels/picture-zpl.ts'
import { printOne } from '#server/labels/print.ts'
import type { Style } from '#server/labels/print.ts'
import { paperOf } from '#server/orders/paper.ts'
import { labelName } from '#server/orders/rules.ts'
import { orderFor } from '#server/orders/service.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { paperNow } from './paper-now.ts'
import { unfit } from './printing.ts'
import type { Person } from './service.ts'

/**
 * The label that has this name, drawn or as its carrier made it. Throws Refusal: 'not_found' for a name that is none, for somebody
 * else's label and for one that was voided, 'conflict' while it is being voided, 'unavailable' while its carrier has not sent it,
 * 'unprocessable' where it cannot be had in this format.
 */
export async function printLabel(
  house: WithBatches,
  caller: Person,
  { orderId, name, style }: { orderId: number; name: string; style: Style },
): Promise<Buffer> {
  const order = await orderFor(house, caller, orderId)
  const isIts = name === labelName(order.id, order.pdfKey, house.config.mode === 'sandbox')
  if (!isIts) throw new Refusal('not_found', 'There is no such file')
  if (order.state === 'voided')
    throw new Refusal('not_found', 'This label was voided and cannot be printed any more')
  if (order.state === 'voiding')
    throw new Refusal('conflict', 'This label is being voided and cannot be printed')
  if (order.trackingNumber === null) throw new Refusal('not_found', 'There is no such file')
  const paper = house.carrier.fetchLabel ? await paperNow(house, order.id) : paperOf(order)
  try {
    return await printOne(paper, style)
  } catch (error) {
    if (error instanceof CannotPrint) throw unfit(error.message)
    throw error
  }
}
