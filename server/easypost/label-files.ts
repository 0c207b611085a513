/** Label files by signed addresses (label-links.ts). */
import { buffer } from 'node:stream/consumers'
import { getUser } from '#server/accounts/service.ts'
import { printSelected, selectPrintable } from '#server/downloads/selected-labels.ts'
import { printSingleLabel } from '#server/downloads/single-label.ts'
import { openScanFormFile } from '#server/manifests/files.ts'
import { findScanFormOfKey } from '#server/manifests/service.ts'
import { labelFileName } from '#server/orders/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { selectBatchOfKey } from './batch-store.ts'
import { membersOf } from './batches.ts'
import type { EasypostContext } from './context.ts'
import { labelObjectId, orderIdIn, parseId } from './ids.ts'
import { readLinkName } from './label-links.ts'
import type { LabelFileFormat } from './rules.ts'
import { boughtOf } from './scan-forms.ts'

/** `fileName`: as it is saved. */
export type LinkedFile = { userId: number; format: LabelFileFormat; fileName: string } & (
  | { print(): Promise<Buffer> }
  | { write(sink: Sink): Promise<void> }
)

const linkEnded = (): Refusal =>
  new Refusal(
    'file_unknown',
    'This address of a label is not valid, or has ended. Retrieve the shipment for a new one.',
  )

/** Throws Refusal: 'file_unknown', also after a void and when the user was blocked; 'file_being_made'. */
export async function openLinkedFile(ctx: EasypostContext, name: string): Promise<LinkedFile> {
  const link = readLinkName(ctx, name, ctx.clock())
  if (!link) throw linkEnded()
  const { id, format } = link
  const prefix = ctx.config.mode === 'sandbox' ? 'SAMPLE-' : ''
  const fileName = `${prefix}${id}.${format}`
  const batchKey = parseId('batch', id)
  if (batchKey !== null) return { format, fileName, ...(await batchFile(ctx, batchKey, format)) }
  const formKey = parseId('sf', id)
  if (formKey !== null) return { format, fileName, ...(await scanFormFile(ctx, formKey)) }
  const order = await orderOf(ctx, id)
  await assertActive(ctx, order.userId)
  return {
    userId: order.userId,
    format,
    fileName,
    print: () =>
      printSingleLabel(
        ctx,
        { userId: order.userId, role: 'user' },
        {
          orderId: order.id,
          name: labelFileName(order.id, order.pdfKey, ctx.config.mode === 'sandbox'),
          style: { format, firstHalf: 1 },
        },
      ),
  }
}

async function orderOf(ctx: EasypostContext, id: string): Promise<OrderRecord> {
  const orderId = orderIdIn('pl', id)
  const order = orderId === null ? undefined : await findOrder(ctx.database.db, orderId)
  if (!order || labelObjectId('pl', order) !== id) throw linkEnded()
  return order
}

async function assertActive(ctx: EasypostContext, userId: number): Promise<void> {
  const user = await getUser(ctx.database.db, userId)
  if (user.activation !== 'allow') throw linkEnded()
}

async function scanFormFile(ctx: EasypostContext, key: string) {
  const form = await findScanFormOfKey(ctx.database.db, key)
  if (!form) throw linkEnded()
  await assertActive(ctx, form.userId)
  return {
    userId: form.userId,
    print: async () => buffer((await openScanFormFile(ctx, form, 1)).stream),
  }
}

/** The labels of a batch that are valid now. */
async function batchFile(ctx: EasypostContext, key: string, format: LabelFileFormat) {
  const { db } = ctx.database
  const batch = await selectBatchOfKey(db, key)
  if (!batch || format === 'png') throw linkEnded()
  const { userId } = batch
  await assertActive(ctx, userId)
  const ids = boughtOf(await membersOf(db, batch))
  if (ids.length === 0) throw linkEnded()
  const labels = await selectPrintable(ctx, { userId, role: 'user' }, ids, format)
  return {
    userId,
    write: (sink: Sink) =>
      printSelected(
        ctx,
        labels,
        { style: { format, firstHalf: 1 }, again: () => assertActive(ctx, userId) },
        sink,
      ),
  }
}
