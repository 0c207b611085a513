/** Submits the table: gets an order id, sends the rows, and opens the overlay. */
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { failOrder, initializeOrder } from '#web/batches/progress/progress-store.ts'
import { texts as batchTexts } from '#web/batches/texts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { sha256 } from '#web/client/sha256.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import { rememberBought } from './bought-here.ts'
import {
  clearTable,
  orderIdFromOtherTab,
  removeAccepted,
  saveSubmission,
  notifyTabsAccepted,
  useBulk,
} from './bulk-store.ts'
import type { SubmitProblem } from './bulk-store.ts'
import { deleteNamedDrafts } from './draft-storage.ts'
import { replacedOrders, toSubmittedRow } from './draft.ts'
import type { BulkDraft } from './draft.ts'
import { submittedFile } from './table-files.ts'
import { texts } from './texts.ts'
import { toServerRowErrors } from './validation.ts'

const submitProblem = (text: string): SubmitProblem => ({ text, canRetry: false, conflict: false })

const hashText = (text: string): string => sha256(new TextEncoder().encode(text))

const httpStatusOf = (reason: unknown): number => (reason instanceof ApiError ? reason.status : 0)

/** Whether the order may have arrived without a response. A refusal is a response. */
const isAnswerLost = (reason: unknown): boolean =>
  httpStatusOf(reason) === 0 || httpStatusOf(reason) >= 500

/**
 * `firstRows`: so many rows of the table, from its first; all if absent. `allowRepeats`: buy rows
 * that already have a label again.
 */
export type SubmitOptions = { firstRows?: number; allowRepeats?: boolean }

/** 'invalid': see the table; 'repeats': rows already have a label. */
export type SubmitResult = 'accepted' | 'invalid' | 'repeats' | 'refused' | 'busy'

/**
 * Sends the table; a call while one runs does nothing. The order id is requested once and stays
 * until the table is accepted: the same rows under the same id are the same order, so a repeat
 * after a lost response never buys twice. Rows that the server finds invalid are marked in the table.
 */
export async function submitTable(options: SubmitOptions = {}): Promise<SubmitResult> {
  const { userId, submitting } = useBulk.getState()
  if (userId === null || submitting) return 'busy'
  useBulk.setState({ submitting: true, problem: null })
  try {
    await choosePart(options)
    const orderId = await getOrCreateOrderId(userId)
    if (orderId === null) return 'refused'
    const result = await processRows(userId, orderId, options)
    if (result !== 'unknown') return result
    // The server does not know the id (its data was restored), so nothing was bought under it. Try
    // once under a new id.
    await saveSubmission({ orderId: null, lost: false })
    const fresh = await getOrCreateOrderId(userId)
    const retried = fresh === null ? 'refused' : await processRows(userId, fresh, options)
    return retried === 'unknown' ? 'refused' : retried
  } finally {
    useBulk.setState({ submitting: false })
  }
}

/**
 * Which rows are sent, saved before anything is. After a lost response they are the same as before,
 * because those may have been accepted.
 */
async function choosePart({ firstRows }: SubmitOptions): Promise<void> {
  const { draft } = useBulk.getState()
  if (draft.lost) return
  const isPart = firstRows !== undefined && firstRows < draft.rows.length
  const part = isPart ? draft.rows.slice(0, firstRows).map(({ id }) => id) : null
  if (part !== null || draft.part !== null) await saveSubmission({ part })
}

/** The rows of the table that are to be sent. */
function sentRows({ rows, part }: BulkDraft): GridRow[] {
  if (part === null) return rows
  const ids = new Set(part)
  return rows.filter(row => ids.has(row.id))
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
  { allowRepeats = false }: SubmitOptions,
): Promise<SubmitResult | 'unknown'> {
  const { draft } = useBulk.getState()
  const rows = sentRows(draft)
  const replaces = replacedOrders(draft, rows)
  const file = submittedFile(draft, rows, hashText)
  try {
    const { totalCount, warnings = [] } = await send(processBatch, {
      params: { userId },
      body: {
        orderId,
        orderData: rows.map(toSubmittedRow),
        ...(replaces.length > 0 && { replaces }),
        ...(file && { file }),
        ...(allowRepeats && { allowRepeats }),
      },
    })
    rememberBought(userId, rows, Date.now())
    const [warning] = warnings
    if (warning) notifyPage('yellow', texts.acceptedWarnings(warnings.length, warning.message))
    await handleAccepted(userId, orderId, totalCount)
    return 'accepted'
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === 'already_bought') {
      useBulk.setState({ problem: submitProblem(reason.message) })
      return 'repeats'
    }
    if (isAnswerLost(reason)) await saveSubmission({ lost: true })
    return handleRefusal(rows, reason, httpStatusOf(reason) === 409 && (await wasAccepted(orderId)))
  }
}

async function handleAccepted(userId: string, orderId: string, totalCount: number): Promise<void> {
  // Another user may have signed in meanwhile.
  if (useBulk.getState().userId !== userId) return
  const { part, key } = useBulk.getState().draft
  if (part === null) {
    notifyTabsAccepted()
    clearTable()
  } else await removeAccepted(part, orderId)
  void deleteNamedDrafts(userId, ({ key: ofTable }) => ofTable === key)
  initializeOrder({ orderId, totalCount })
  void refreshUser()
  void queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) })
}

/** The order exists only once rows were accepted under its id. */
const wasAccepted = (orderId: string): Promise<boolean> =>
  send(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }).then(
    () => true,
    () => false,
  )

/** `conflict`: other rows were already accepted under this id. */
function handleRefusal(
  rows: readonly GridRow[],
  reason: unknown,
  conflict: boolean,
): 'invalid' | 'refused' | 'unknown' {
  const refused = toServerRowErrors(rows, fieldErrorsOf(reason))
  if (isAnswerLost(reason)) {
    const text = `${messageOf(reason, texts.processFailed).replace(/\.?$/, '.')} ${texts.lost}`
    useBulk.setState({ problem: { text, canRetry: true, conflict: false } })
    return 'refused'
  }
  const message = messageOf(reason, texts.processFailed)
  const error = batchTexts.overlay.initialError(message)
  const unknown = httpStatusOf(reason) === 404
  // Invalid rows have their own dialog, and a conflict has a link to Batch Orders.
  const shown = refused.size === 0 && !conflict && !unknown && failOrder(error, rows.length)
  useBulk.setState({
    serverErrors: refused,
    problem: { text: shown ? message : error, canRetry: false, conflict },
  })
  if (unknown) return 'unknown'
  return refused.size > 0 ? 'invalid' : 'refused'
}
