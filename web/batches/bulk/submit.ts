/** From the table to a bulk order: an id, the rows, and the overlay that follows it (specification, 4: bulk upload flow). */
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { failOrder, initializeOrder } from '#web/batches/progress/progress-store.ts'
import { texts as batchTexts } from '#web/batches/texts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import {
  clearTable,
  orderIdFromOtherTab,
  saveSubmission,
  notifyTabsAccepted,
  useBulk,
} from './bulk-store.ts'
import type { SubmitProblem } from './bulk-store.ts'
import { replacedOrders, toWireRow } from './draft.ts'
import type { BulkDraft } from './draft.ts'
import { texts } from './texts.ts'
import { toServerRowErrors } from './validation.ts'

const submitProblem = (text: string): SubmitProblem => ({ text, canRetry: false, conflict: false })

const httpStatusOf = (reason: unknown): number => (reason instanceof ApiError ? reason.status : 0)

/** Whether an order may have arrived although no answer did. A refusal is an answer. */
const isAnswerLost = (reason: unknown): boolean =>
  httpStatusOf(reason) === 0 || httpStatusOf(reason) >= 500

/**
 * Sends the table. A second call while one runs does nothing. The id is asked for once and stays with the table until it is
 * accepted: the same rows under it are the same order, so a repeat after a lost answer never buys twice.
 * Resolves to 'invalid' when the server found wrong rows; they are marked in the table.
 */
export async function submitTable(): Promise<'accepted' | 'invalid' | 'refused' | 'busy'> {
  const { userId, submitting } = useBulk.getState()
  if (userId === null || submitting) return 'busy'
  useBulk.setState({ submitting: true, problem: null })
  try {
    const orderId = await getOrCreateOrderId(userId)
    if (orderId === null) return 'refused'
    const result = await processRows(userId, orderId)
    if (result !== 'unknown') return result
    // The server does not know the id (its data was restored, say), so nothing was bought under it: once more under a new one.
    await saveSubmission({ orderId: null, lost: false })
    const fresh = await getOrCreateOrderId(userId)
    const retried = fresh === null ? 'refused' : await processRows(userId, fresh)
    return retried === 'unknown' ? 'refused' : retried
  } finally {
    useBulk.setState({ submitting: false })
  }
}

async function getOrCreateOrderId(userId: string): Promise<string | null> {
  const known = useBulk.getState().draft.orderId
  if (known !== null) return known
  try {
    const orderId =
      (await orderIdFromOtherTab()) ?? (await send(initBatch, { body: { userId } })).orderId
    await saveSubmission({ orderId })
    return orderId
  } catch (reason) {
    useBulk.setState({ problem: submitProblem(messageOf(reason, texts.initFailed)) })
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
        orderData: draft.rows.map(toWireRow),
        ...(replaces.length > 0 && { replaces }),
      },
    })
    handleAccepted(userId, orderId, totalCount)
    return 'accepted'
  } catch (reason) {
    if (isAnswerLost(reason)) await saveSubmission({ lost: true })
    return handleRefusal(
      draft,
      reason,
      httpStatusOf(reason) === 409 && (await wasAccepted(orderId)),
    )
  }
}

function handleAccepted(userId: string, orderId: string, totalCount: number): void {
  // Someone else may have signed in meanwhile; the order is safe with its owner.
  if (useBulk.getState().userId !== userId) return
  notifyTabsAccepted()
  clearTable()
  initializeOrder({ orderId, totalCount })
  void refreshUser()
  void queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) })
}

/** An id is an order only once rows were accepted under it. */
const wasAccepted = (orderId: string): Promise<boolean> =>
  send(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }).then(
    () => true,
    () => false,
  )

/** `conflict`: other rows were accepted under this table's id before. */
function handleRefusal(
  draft: BulkDraft,
  reason: unknown,
  conflict: boolean,
): 'invalid' | 'refused' | 'unknown' {
  const refused = toServerRowErrors(draft.rows, fieldErrorsOf(reason))
  if (isAnswerLost(reason)) {
    const text = `${messageOf(reason, texts.processFailed).replace(/\.?$/, '.')} ${texts.lost}`
    useBulk.setState({ problem: { text, canRetry: true, conflict: false } })
    return 'refused'
  }
  const message = messageOf(reason, texts.processFailed)
  const error = batchTexts.overlay.initialError(message)
  const unknown = httpStatusOf(reason) === 404
  // Wrong rows have a dialog of their own, and what was accepted before is told with the way to it.
  const shown = refused.size === 0 && !conflict && !unknown && failOrder(error, draft.rows.length)
  useBulk.setState({
    serverErrors: refused,
    problem: { text: shown ? message : error, canRetry: false, conflict },
  })
  if (unknown) return 'unknown'
  return refused.size > 0 ? 'invalid' : 'refused'
}
