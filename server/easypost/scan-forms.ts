/** SCAN forms of bought shipments, as EasyPost's objects. */
import type { EasypostScanForm } from '#contract/easypost-objects.ts'
import {
  findScanFormOfKey,
  findScanFormOfLabels,
  findScanForms,
  requestScanForms,
  selectTrackingNumbers,
} from '#server/manifests/service.ts'
import type { ScanFormRecord } from '#server/manifests/service.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import type { BatchMember } from './batch-store.ts'
import { modeOf } from './context.ts'
import type { EasypostContext } from './context.ts'
import { formatId, parseId } from './ids.ts'
import { scanFormUrlOf } from './label-links.ts'
import { selectShipmentsByKey, selectSendersOfForms } from './shipment-store.ts'
import { shipmentUnknown } from './shipments.ts'
import { addressOf, time } from './wire.ts'

/**
 * Waits some seconds for the carrier. Throws Refusal 422: labels of several senders, one that is on
 * a form or not bought, or the carrier refuses.
 */
export async function createScanForm(
  ctx: EasypostContext,
  caller: Caller,
  shipmentIds: readonly string[],
): Promise<ScanFormRecord> {
  if (shipmentIds.length === 0)
    throw refuseField('shipments', 'required', 'Missing required parameter: shipments')
  const keys = [...new Set(shipmentIds.map(id => parseId('shp', id)))]
  const known = keys.filter(key => key !== null)
  const shipments = await selectShipmentsByKey(ctx.database.db, caller.userId, known)
  if (shipments.length < keys.length) throw shipmentUnknown()
  const orderIds = shipments.flatMap(({ orderId }) => orderId ?? [])
  if (orderIds.length < keys.length)
    throw new Refusal('scan_form_refused', 'Only bought shipments can be put on a SCAN form')
  return makeOne(ctx, caller, orderIds)
}

/**
 * Of labels with one sender. A repeat, perhaps after a lost response, gets the form that these labels
 * are on. Throws Refusal 422 as `createScanForm`.
 */
export async function makeOne(
  ctx: EasypostContext,
  caller: Caller,
  orderIds: readonly number[],
): Promise<ScanFormRecord> {
  try {
    const input = { orderIds, isSingle: true }
    const [form] = await requestScanForms(ctx, caller, caller.userId, input)
    return form!
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error
    const made = await findScanFormOfLabels(ctx.database.db, caller.userId, [...new Set(orderIds)])
    if (made !== null) return made
    // The state of a label is no conflict of requests here.
    throw new Refusal('scan_form_refused', error.message)
  }
}

/** Throws Refusal 'scan_form_unknown'. */
export async function getScanForm(
  ctx: EasypostContext,
  userId: number,
  id: string,
): Promise<ScanFormRecord> {
  const key = parseId('sf', id)
  const form = key === null ? undefined : await findScanFormOfKey(ctx.database.db, key)
  if (form?.userId === userId) return form
  throw new Refusal('scan_form_unknown', 'The requested scan form could not be found')
}

/** In the order of `ids`. */
export async function scanFormWires(
  ctx: EasypostContext,
  ids: readonly number[],
): Promise<EasypostScanForm[]> {
  const { db } = ctx.database
  const [forms, numbers, senders] = await Promise.all([
    findScanForms(db, ids),
    selectTrackingNumbers(db, ids),
    selectSendersOfForms(db, ids),
  ])
  const byId = new Map(forms.map(form => [form.id, form]))
  return ids.flatMap(id => {
    const form = byId.get(id)
    if (!form) return []
    const sender = senders.get(id)
    const hasFile =
      form.state === 'made' && (form.files.length > 0 || ctx.carrier.fetchLabel === null)
    return {
      id: formatId('sf', form.key),
      object: 'ScanForm',
      created_at: time(form.createdAt),
      updated_at: time(form.updatedAt),
      tracking_codes: numbers.get(id) ?? [],
      address: sender ? addressOf(modeOf(ctx), sender) : null,
      status: STATUSES[form.state],
      message: form.problem,
      form_url: hasFile ? scanFormUrlOf(ctx, form.key, ctx.clock()) : null,
      form_file_type: hasFile ? 'application/pdf' : null,
      batch_id: null,
      confirmation: form.upstreamRef,
    } as const
  })
}

/** The form that all bought labels of a batch are on, as `batchId` ('batch_…') shows it; else null. */
export async function scanFormOfBatch(
  ctx: EasypostContext,
  userId: number,
  batchId: string,
  members: readonly BatchMember[],
): Promise<EasypostScanForm | null> {
  const orderIds = boughtOf(members)
  if (orderIds.length === 0) return null
  const form = await findScanFormOfLabels(ctx.database.db, userId, orderIds)
  if (form === null) return null
  const [wire] = await scanFormWires(ctx, [form.id])
  return { ...wire!, batch_id: batchId }
}

export const boughtOf = (members: readonly BatchMember[]): number[] =>
  members.flatMap(one => (one.orderState === 'purchased' ? one.orderId! : []))

/** EasyPost has no state for a form that may have been made; the message tells. */
const STATUSES = {
  asked: 'creating',
  made: 'created',
  failed: 'failed',
  unknown: 'failed',
} as const
