import { setTimeout as wait } from 'node:timers/promises'
import { readLabelFileOrRefuse } from '#server/labels/carrier-label-file.ts'
import type { CarrierLabelFile } from '#server/labels/carrier-pdf.ts'
import { findLabelFiles, requestLabelFileAgain } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { fetchLabelFileNow } from '#server/purchasing/label-files.ts'

const POLL_MS = 100
/** How long a download waits for a file that is being fetched. */
const FETCH_PATIENCE_MS = 5_000
/** For a label whose next fetch is not known. */
const DEFAULT_DELAY_MS = 5_000

/**
 * The label file of the carrier. A missing file is fetched if the rate limit allows it now. Throws Refusal: 'unavailable' with the time
 * of the next fetch, 'not_found' if the carrier does not have the file any more.
 */
export async function getLabelFile(
  ctx: LabelContext,
  orderId: number,
): Promise<CarrierLabelFile<number>> {
  const { db, tx: inTx } = ctx.database
  const until = Date.now() + FETCH_PATIENCE_MS
  for (;;) {
    const record = (await findLabelFiles(db, [orderId])).get(orderId)
    if (!record) throw labelFileNotYetHere(DEFAULT_DELAY_MS)
    if (record.state === 'unavailable')
      throw new Refusal('not_found', 'The carrier does not have the file of this label anymore')
    if (record.state === 'stored') {
      const file = await readLabelFileOrRefuse(ctx, record)
      if (file) return file
      await inTx(tx => requestLabelFileAgain(tx, orderId, record.fileName!))
    }
    const delay = await fetchLabelFileNow(ctx, orderId)
    if (!delay) continue
    if (!delay.isBeingFetched || ctx.closing.aborted || Date.now() >= until)
      throw labelFileNotYetHere(delay.waitMs)
    await wait(POLL_MS)
  }
}

function labelFileNotYetHere(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new Refusal(
    'unavailable',
    'The label is bought, and the carrier will send its file soon. '
      + `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    seconds,
  )
}
