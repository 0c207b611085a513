/** From the table to a bulk order: an id, the rows, and the overlay that follows it (specification, 4: bulk upload flow). */
import { initBatch, processBatch } from '#contract/batches.ts'
import { initialErrorText } from '#contract/progress.ts'
import { isSound } from '#contract/row-rules.ts'
import { initializeOrder } from '#web/batches/progress-store.ts'
import { keys } from '#web/client/keys.ts'
import { queries } from '#web/client/query.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { replacedOrders, wireRow } from './draft.ts'
import type { Draft } from './draft.ts'
import { refusedRows } from './judge.ts'
import { clearTable, keepNow, noteSubmission, useBulk } from './store.ts'
import type { Trouble } from './store.ts'
import { texts } from './texts.ts'

const plain = (text: string): Trouble => ({ text, again: false, conflict: false })

/** Whether an order may have arrived although no answer did. A refusal is an answer. */
const isLost = (reason: unknown): boolean => !(reason instanceof ApiError) || reason.status === 0 || reason.status >= 500

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
    return orderId === null ? 'refused' : await processRows(userId, orderId)
  } finally {
    useBulk.setState({ submitting: false })
  }
}

async function orderIdOf(userId: string): Promise<string | null> {
  const known = useBulk.getState().draft.orderId
  if (known !== null) return known
  try {
    const { orderId } = await send(initBatch, { body: { userId } })
    await noteSubmission({ orderId })
    return orderId
  } catch (reason) {
    useBulk.setState({ trouble: plain(messageOf(reason, texts.initFailed)) })
    return null
  }
}

async function processRows(userId: string, orderId: string): Promise<'accepted' | 'invalid' | 'refused'> {
  const { draft } = useBulk.getState()
  const replaces = replacedOrders(draft)
  try {
    const { totalCount } = await send(processBatch, {
      params: { userId },
      body: { orderId, orderData: draft.rows.map(wireRow), ...(replaces.length > 0 && { replaces }) },
    })
    accepted(userId, orderId, totalCount)
    return 'accepted'
  } catch (reason) {
    if (isLost(reason)) await noteSubmission({ lost: true })
    return refusal(draft, reason)
  }
}

function accepted(userId: string, orderId: string, totalCount: number): void {
  // Someone else may have signed in meanwhile; the order is safe with its owner.
  if (useBulk.getState().userId !== userId) return
  clearTable()
  initializeOrder({ orderId, totalCount })
  void refreshUser()
  void queries.invalidateQueries({ queryKey: keys.batches(userId) })
}

function refusal(draft: Draft, reason: unknown): 'invalid' | 'refused' {
  const refused = refusedRows(draft.rows, fieldErrorsOf(reason))
  if (isLost(reason)) {
    useBulk.setState({ trouble: { text: `${messageOf(reason, texts.processFailed).replace(/\.?$/, '.')} ${texts.lost}`, again: true, conflict: false } })
    return 'refused'
  }
  const conflict = reason instanceof ApiError && reason.status === 409
  const text = initialErrorText(messageOf(reason, texts.processFailed))
  useBulk.setState({ refused, trouble: { text, again: false, conflict } })
  void keepNow()
  return [...refused.values()].every(isSound) ? 'refused' : 'invalid'
}
