/** From the table to a bulk order: an id, the rows, and the overlay that follows it (specification, 4: bulk upload flow). */
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { initialErrorText } from '#contract/progress.ts'
import { failOrder, initializeOrder } from '#web/batches/progress-store.ts'
import { keys } from '#web/client/keys.ts'
import { queries } from '#web/client/query.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { replacedOrders, wireRow } from './draft.ts'
import type { Draft } from './draft.ts'
import { refusedRows } from './judge.ts'
import { clearTable, idFromOtherTab, noteSubmission, tellAccepted, useBulk } from './store.ts'
import type { Trouble } from './store.ts'
import { texts } from './texts.ts'

const plain = (text: string): Trouble => ({ text, again: false, conflict: false })

const statusOf = (reason: unknown): number => (reason instanceof ApiError ? reason.status : 0)

/** Whether an order may have arrived although no answer did. A refusal is an answer. */
const isLost = (reason: unknown): boolean => statusOf(reason) === 0 || statusOf(reason) >= 500

/**
 * Sends the table. A second call while one runs does nothing. The id is asked for once and stays with the table until it is
 * accepted: the same rows under it are the same order, so a repeat after a lost answer never buys twice.
 * Resolves to 'invalid' when the server found wrong rows; they are marked in the table.
 */
export async function submitTable(): Promise<'accepted' | 'invalid' | 'refused' | 'busy'> {
  const { userId, submitting } = useBulk.getState()
  if (userId === null || submitting) return 'busy'
  useBulk.setState({ submitting: true, trouble: null })
  try {
    const orderId = await orderIdOf(userId)
    if (orderId === null) return 'refused'
    const outcome = await processRows(userId, orderId)
    if (outcome !== 'unknown') return outcome
    // The server does not know the id (its data was restored, say), so nothing was bought under it: once more under a new one.
    await noteSubmission({ orderId: null, lost: false })
    const fresh = await orderIdOf(userId)
    const again = fresh === null ? 'refused' : await processRows(userId, fresh)
    return again === 'unknown' ? 'refused' : again
  } finally {
    useBulk.setState({ submitting: false })
  }
}

async function orderIdOf(userId: string): Promise<string | null> {
  const known = useBulk.getState().draft.orderId
  if (known !== null) return known
  try {
    const orderId =
      (await idFromOtherTab()) ?? (await send(initBatch, { body: { userId } })).orderId
    await noteSubmission({ orderId })
    return orderId
  } catch (reason) {
    useBulk.setState({ trouble: plain(messageOf(reason, texts.initFailed)) })
    return null
  }
}

async function processRows(
  userId: string,
  orderId: string,
): Promise<'accepted' | 'invalid' | 'refused' | 'unknown'> {
  const { draft } = useBulk.getState()
  const replaces = replacedOrders(draft)
  try {
    const { totalCount } = await send(processBatch, {
      params: { userId },
      body: {
        orderId,
        orderData: draft.rows.map(wireRow),
        ...(replaces.length > 0 && { replaces }),
      },
    })
    accepted(userId, orderId, totalCount)
    return 'accepted'
  } catch (reason) {
    if (isLost(reason)) await noteSubmission({ lost: true })
    return refusal(draft, reason, statusOf(reason) === 409 && (await wasAccepted(orderId)))
  }
}

function accepted(userId: string, orderId: string, totalCount: number): void {
  // Someone else may have signed in meanwhile; the order is safe with its owner.
  if (useBulk.getState().userId !== userId) return
  tellAccepted()
  clearTable()
  initializeOrder({ orderId, totalCount })
  void refreshUser()
  void queries.invalidateQueries({ queryKey: keys.batches(userId) })
}

/** An id is an order only once rows were accepted under it. */
const wasAccepted = (orderId: string): Promise<boolean> =>
  send(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }).then(
    () => true,
    () => false,
  )

/** `conflict`: other rows were accepted under this table's id before. */
function refusal(
  draft: Draft,
  reason: unknown,
  conflict: boolean,
): 'invalid' | 'refused' | 'unknown' {
  const refused = refusedRows(draft.rows, fieldErrorsOf(reason))
  if (isLost(reason)) {
    const text = `${messageOf(reason, texts.processFailed).replace(/\.?$/, '.')} ${texts.lost}`
    useBulk.setState({ trouble: { text, again: true, conflict: false } })
    return 'refused'
  }
  const why = messageOf(reason, texts.processFailed)
  const error = initialErrorText(why)
  const unknown = statusOf(reason) === 404
  // Wrong rows have a dialog of their own, and what was accepted before is told with the way to it.
  const shown = refused.size === 0 && !conflict && !unknown && failOrder(error, draft.rows.length)
  useBulk.setState({ refused, trouble: { text: shown ? why : error, again: false, conflict } })
  if (unknown) return 'unknown'
  return refused.size > 0 ? 'invalid' : 'refused'
}
