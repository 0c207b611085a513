import { setTimeout as wait } from 'node:timers/promises'
import { LABEL_MIME, PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type { CarrierLabelFormat } from '#server/carriers/port.ts'
import { namesOfCarrierAccounts } from '#server/carriers/service.ts'
import { readLabelFileOrRefuse } from '#server/labels/carrier-label-file.ts'
import type { CarrierLabelFile } from '#server/labels/carrier-pdf.ts'
import { findLabelFiles, requestLabelFileAgain, requestLabelFiles } from '#server/labels/service.ts'
import type { LabelFileKey } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectInAccounts } from '#server/orders/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { fetchLabelFileNow } from '#server/purchasing/label-files.ts'

const POLL_MS = 100
/** How long a download waits for a file that is being fetched. */
const FETCH_PATIENCE_MS = 5_000
const MAX_DUE_POLLS = 3
/** For a label whose next fetch is not known. */
const DEFAULT_DELAY_MS = 5_000

/**
 * A missing file is fetched if the rate limit allows it now. Throws Refusal: 503 with the time of the next fetch, 404 if the
 * carrier has it no more.
 */
export async function getLabelFile(
  ctx: LabelContext,
  orderId: number,
): Promise<CarrierLabelFile<number>> {
  const file = await awaitLabelFile(ctx, { orderId, format: PURCHASED_FORMAT })
  if (!file)
    throw new Refusal(
      'file_gone',
      `The carrier does not have the file of label ${orderId} anymore. Buy a new label, and void this one.`,
    )
  return file
}

/**
 * The same label as the carrier makes it in another format, fetched once. Null if the carrier does not have it in this format. Throws
 * Refusal 503 with the time of the next fetch.
 */
export async function getLabelFileAs(
  ctx: LabelContext,
  key: LabelFileKey,
): Promise<CarrierLabelFile<number> | null> {
  const { orderId, format } = key
  const { db, tx: inTx } = ctx.database
  if (format === 'png') {
    const purchased = (await findLabelFiles(db, [orderId])).get(orderId)
    if (purchased?.state === 'stored' && purchased.mime === LABEL_MIME.png)
      return getLabelFile(ctx, orderId)
  }
  const isRequested = (await findLabelFiles(db, [orderId], format)).has(orderId)
  if (!isRequested) {
    // Another carrier account cannot be asked for it.
    if (!(await selectInAccounts(db, namesOfCarrierAccounts(ctx), [orderId])).has(orderId))
      return null
    await inTx(tx => requestLabelFiles(tx, [orderId], format))
  }
  return awaitLabelFile(ctx, key)
}

/** Null if the carrier does not have it. */
async function awaitLabelFile(
  ctx: LabelContext,
  key: LabelFileKey,
): Promise<CarrierLabelFile<number> | null> {
  const { orderId, format } = key
  const { db, tx: inTx } = ctx.database
  const until = performance.now() + FETCH_PATIENCE_MS
  let duePolls = 0
  for (;;) {
    const record = (await findLabelFiles(db, [orderId], format)).get(orderId)
    if (!record) throw labelFileNotYetHere(format, DEFAULT_DELAY_MS)
    if (record.state === 'unavailable') return null
    if (record.state === 'stored') {
      const file = await readLabelFileOrRefuse(ctx, record)
      if (file) return file
      await inTx(tx => requestLabelFileAgain(tx, orderId, record.fileName!))
    }
    const delay = await fetchLabelFileNow(ctx, key)
    if (!delay) continue
    // Due but not claimable: another request may be claiming it at this moment.
    const isWorthWaiting =
      delay.isBeingFetched || (delay.waitMs === 0 && duePolls++ < MAX_DUE_POLLS)
    if (!isWorthWaiting || ctx.closing.aborted || performance.now() >= until)
      throw labelFileNotYetHere(format, delay.waitMs)
    await wait(POLL_MS)
  }
}

function labelFileNotYetHere(format: CarrierLabelFormat, ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const file = format === PURCHASED_FORMAT ? 'its file' : `it as ${format.toUpperCase()}`
  return new Refusal(
    'file_being_made',
    `The label is bought, and the carrier will send ${file} soon. `
      + `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfter: seconds },
  )
}
