/** A label as its carrier made it, for somebody who waits for it. */
import { setTimeout as wait } from 'node:timers/promises'
import { findPapers, wantAgain } from '#server/labels/carrier-paper-store.ts'
import { readPaperNow } from '#server/labels/carrier-paper.ts'
import type { CarrierPaper } from '#server/labels/carrier-pdf.ts'
import { fetchPaperNow } from '#server/orders/papers.ts'
import type { WithOrders } from '#server/orders/settle.ts'
import { Refusal } from '#server/platform/refusal.ts'

const LOOK_EVERY_MS = 100
/** How long a reader waits for a file that somebody else is fetching at that moment. */
const HAND_PATIENCE_MS = 5_000
/** Of a label whose carrier does not say when it will come. */
const SOON_MS = 5_000

/**
 * The label's file; one that is not here yet, or no more, is fetched if its carrier may be asked now. Throws Refusal 'unavailable', which
 * says when to come back, or 'not_found'.
 */
export async function paperNow(house: WithOrders, orderId: number): Promise<CarrierPaper<number>> {
  const { db, tx: inTx } = house.database
  const until = Date.now() + HAND_PATIENCE_MS
  for (;;) {
    const record = (await findPapers(db, [orderId])).get(orderId)
    if (!record) throw comesIn(SOON_MS)
    if (record.state === 'gone')
      throw new Refusal('not_found', 'The carrier does not have this label’s file any more')
    if (record.state === 'kept') {
      const paper = await readPaperNow(house, record)
      if (paper) return paper
      await inTx(tx => wantAgain(tx, orderId, record.fileName!))
    }
    const notYet = await fetchPaperNow(house, orderId)
    if (!notYet) continue
    if (!notYet.isInHand || house.closing.aborted || Date.now() >= until)
      throw comesIn(notYet.waitMs)
    await wait(LOOK_EVERY_MS)
  }
}

function comesIn(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new Refusal(
    'unavailable',
    'The label is bought; its file comes soon from the carrier. '
      + `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    undefined,
    seconds,
  )
}
