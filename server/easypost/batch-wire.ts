/** Batches as the objects of contract/easypost-objects.ts. Pure. */
import type {
  EasypostBatch,
  EasypostBatchState,
  EasypostBatchStatus,
  EasypostMode,
  EasypostScanForm,
} from '#contract/easypost-objects.ts'
import type { BatchMember, BatchRecord } from './batch-store.ts'
import { formatId } from './ids.ts'
import type { LabelFileFormat } from './rules.ts'
import { batchMessageOf, batchStatusOf, time } from './wire.ts'

/** `batchLabelUrl`: the signed address of its labels. */
export type BatchContext = {
  mode: EasypostMode
  batchLabelUrl(key: string, format: LabelFileFormat): string
}

export function stateOf(
  { labelFormat }: BatchRecord,
  members: readonly BatchMember[],
): EasypostBatchState {
  const statuses = members.map(batchStatusOf)
  const has = (status: EasypostBatchStatus): boolean => statuses.includes(status)
  if (has('queued_for_purchase')) return 'purchasing'
  if (has('postage_purchase_failed')) return 'purchase_failed'
  if (has('postage_purchased') && !has('created'))
    return labelFormat === null ? 'purchased' : 'label_generated'
  return has('creation_failed') ? 'creation_failed' : 'created'
}

/** The shapes of a batch, as an answer and in an event. `scanForm`: null in lists and events. */
export function batchObject(
  ctx: BatchContext,
  batch: BatchRecord,
  members: readonly BatchMember[],
  scanForm: EasypostScanForm | null = null,
): EasypostBatch {
  const shipments = members.map(member => ({
    batch_status: batchStatusOf(member)!,
    batch_message: batchMessageOf(member),
    reference: member.reference,
    tracking_code: member.trackingNumber,
    id: formatId('shp', member.key),
  }))
  const count = (status: EasypostBatchStatus): number =>
    shipments.filter(one => one.batch_status === status).length
  return {
    id: formatId('batch', batch.key),
    object: 'Batch',
    mode: ctx.mode,
    state: stateOf(batch, members),
    num_shipments: shipments.length,
    reference: batch.reference,
    created_at: time(batch.createdAt),
    updated_at: time(batch.updatedAt),
    scan_form: scanForm,
    shipments,
    status: {
      created: count('created'),
      queued_for_purchase: count('queued_for_purchase'),
      creation_failed: count('creation_failed'),
      postage_purchased: count('postage_purchased'),
      postage_purchase_failed: count('postage_purchase_failed'),
    },
    pickup: null,
    label_url: batch.labelFormat && ctx.batchLabelUrl(batch.key, batch.labelFormat),
  }
}
