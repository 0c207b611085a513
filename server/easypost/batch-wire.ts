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

export type StatusCounts = Record<EasypostBatchStatus, number>

type StateOfMember = Pick<BatchMember, 'batchState' | 'orderState' | 'trackingNumber'>

/** `members`: how many members this one stands for; one if missing. */
export function countStatuses(
  all: readonly (StateOfMember & { members?: number })[],
): StatusCounts {
  const counts: StatusCounts = {
    created: 0,
    queued_for_purchase: 0,
    creation_failed: 0,
    postage_purchased: 0,
    postage_purchase_failed: 0,
  }
  for (const one of all) counts[batchStatusOf(one)!] += one.members ?? 1
  return counts
}

export function stateOf({ labelFormat }: BatchRecord, counts: StatusCounts): EasypostBatchState {
  if (counts.queued_for_purchase > 0) return 'purchasing'
  if (counts.postage_purchase_failed > 0) return 'purchase_failed'
  if (counts.postage_purchased > 0 && counts.created === 0)
    return labelFormat === null ? 'purchased' : 'label_generated'
  return counts.creation_failed > 0 ? 'creation_failed' : 'created'
}

/** `counts` include members that are left out. `scanForm`: null in lists and events. */
export function batchObject(
  ctx: BatchContext,
  batch: BatchRecord,
  members: readonly BatchMember[],
  {
    counts = countStatuses(members),
    scanForm = null,
  }: { counts?: StatusCounts; scanForm?: EasypostScanForm | null } = {},
): EasypostBatch {
  return {
    id: formatId('batch', batch.key),
    object: 'Batch',
    mode: ctx.mode,
    state: stateOf(batch, counts),
    num_shipments: Object.values(counts).reduce((sum, count) => sum + count, 0),
    reference: batch.reference,
    created_at: time(batch.createdAt),
    updated_at: time(batch.updatedAt),
    scan_form: scanForm,
    shipments: members.map(member => ({
      batch_status: batchStatusOf(member)!,
      batch_message: batchMessageOf(member),
      reference: member.reference,
      tracking_code: member.trackingNumber,
      id: formatId('shp', member.key),
    })),
    status: counts,
    pickup: null,
    label_url: batch.labelFormat && ctx.batchLabelUrl(batch.key, batch.labelFormat),
  }
}
