import { getBatchFor } from './batches/service.ts'
import { findFile } from './labels/service.ts'
import { getScanFormFor } from './manifests/files.ts'
import { getOrderFor } from './orders/access.ts'
import type { LabelContext } from './orders/context.ts'
import { orderIdInFileName } from './orders/rules.ts'
import { invoiceFor } from './payments/service.ts'
import type { PaymentsContext } from './payments/service.ts'
import { Refusal } from './platform/http/refusal.ts'
import type { ApiAction, Caller } from './platform/http/router.ts'
import { findSkuOwner } from './skus/service.ts'

/**
 * Whose data a request of an administrator changes or downloads, by the ids in its path. Null: no
 * user's, or there is no such record, which the request itself will answer.
 */
export const openActionOwner =
  (labels: LabelContext, payments: PaymentsContext) =>
  async (caller: Caller, { endpoint, ids }: ApiAction): Promise<number | null> => {
    try {
      if (ids.userId !== undefined) return Number(ids.userId)
      if (ids.skuId !== undefined) return await findSkuOwner(labels.database.db, Number(ids.skuId))
      if (ids.name !== undefined) return await ownerOfFile(labels, caller, ids.name)
      if (endpoint.path.includes('/invoices/'))
        return (await invoiceFor(payments, caller, ids.id!)).userId
      if (ids.scanFormId !== undefined)
        return (await getScanFormFor(labels, caller, Number(ids.scanFormId))).userId
      if (ids.orderId === undefined) return null
      const id = Number(ids.orderId)
      return endpoint.path.startsWith('/api/orders/bulk/')
        ? (await getBatchFor(labels, caller, id)).userId
        : (await getOrderFor(labels, caller, id)).userId
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

/** `name`: a stored name, a label's file name, or the id of a bulk order. */
async function ownerOfFile(
  labels: LabelContext,
  caller: Caller,
  name: string,
): Promise<number | null> {
  if (/^[1-9]\d{0,14}$/.test(name)) return (await getBatchFor(labels, caller, Number(name))).userId
  const orderId = orderIdInFileName(name)
  if (orderId !== null) return (await getOrderFor(labels, caller, orderId)).userId
  return (await findFile(labels.database.db, name))?.userId ?? null
}
