/** A label as its carrier made it, for somebody who waits for it. */
import { setTimeout as wait } from 'node:timers/promises'
import { findLabelFiles, requestLabelFileAgain } from '#server/labels/carrier-label-file-store.ts'
import { readLabelFileOrRefuse } from '#server/labels/carrier-label-file.ts'
import type { CarrierLabelFile } from '#server/labels/carrier-pdf.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { fetchLabelFileNow } from '#server/purchasing/label-files.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'

const LOOK_EVERY_MS = 100
/** How long a reader waits for a file that somebody else is fetching at that moment. */
const FETCH_PATIENCE_MS = 5_000
/** Of a label whose carrier does not say when it will come. */
const DEFAULT_DELAY_MS = 5_000

/**
 * The label's file; one that is not here yet, or no more, is fetched if its carrier may be asked now. Throws Refusal 'unavailable', which
 * says when to come back, or 'not_found'.
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
    if (record.state === 'gone')
      throw new Refusal('not_found', 'The carrier does not have this label’s file any more')
    if (record.state === 'kept') {
      const paper = await readLabelFileOrRefuse(ctx, record)
      if (paper) return paper
      await inTx(tx => requestLabelFileAgain(tx, orderId, record.fileName!))
    }
    const notYet = await fetchLabelFileNow(ctx, orderId)
    if (!notYet) continue
    if (!notYet.isBeingFetched || ctx.closing.aborted || Date.now() >= until)
      throw labelFileNotYetHere(notYet.waitMs)
    await wait(LOOK_EVERY_MS)
  }
}

function labelFileNotYetHere(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new Refusal(
    'unavailable',
    'The label is bought; its file comes soon from the carrier. '
      + `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    seconds,
  )
}
