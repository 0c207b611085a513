/** Submits the table: gets an order id, sends the rows, and opens the overlay. */
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { asSentence } from '#contract/format.ts'
import { dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { toServerRowErrors } from '#web/batches/bulk/checks/validation.ts'
import {
  removeAccepted,
  saveSubmission,
  takeOverSubmission,
  useBulk,
} from '#web/batches/bulk/drafts/bulk-store.ts'
import type { SubmitProblem } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { Submission } from '#web/batches/bulk/drafts/draft-storage.ts'
import {
  lineIdsOf,
  onlyLines,
  replacedOrders,
  sentRows,
  toSubmittedRow,
} from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { submittedFile } from '#web/batches/bulk/files/table-files.ts'
import { rememberBought } from '#web/batches/bulk/repeats/bought-here.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { failOrder, initializeOrder } from '#web/batches/progress/progress-store.ts'
import { texts as batchTexts } from '#web/batches/texts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { sha256OfText } from '#web/client/sha256.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import { httpStatusOf, isAnswerLost, refusalEnd } from './refusal-end.ts'
import type { RefusalEnd } from './refusal-end.ts'

const submitProblem = (text: string): SubmitProblem => ({ text, canRetry: false, conflict: false })

/**
 * `firstRows`: so many rows of the table, from its first; all if absent. `allowRepeats`: buy rows
 * that already have a label again, at most `repeats` of them. `shownCost`: what the rows may cost at
 * most: the prices that the page shows.
 */
export type SubmitOptions = {
  firstRows?: number
  allowRepeats?: boolean
  repeats?: number
  shownCost: (rows: readonly GridRow[]) => Cents
}

/**
 * 'invalid': see the table; 'repeats': rows already have a label; 'price changed': they cost more than was shown; 'balance': it was
 * spent meanwhile, on another device or by a program.
 */
export type SubmitResult =
  | 'accepted'
  | 'invalid'
  | 'repeats'
  | 'price changed'
  | 'balance'
  | 'refused'
  | 'busy'

type ReviewedTable = Pick<BulkDraft, 'key' | 'rows'>

/**
 * Sends the table; a call while one runs does nothing. The order id stays until the table is accepted, so a repeat
 * after a lost response never buys twice. Rows that the server finds invalid are marked in the table.
 */
export async function submitTable(options: SubmitOptions): Promise<SubmitResult> {
  const { userId, submitting, draft } = useBulk.getState()
  if (userId === null || submitting) return 'busy'
  useBulk.setState({ submitting: true, problem: null })
  try {
    if (await isSubmittedElsewhere(userId, draft)) return 'refused'
    const orderId = await getOrCreateOrderId()
    if (orderId === null) return 'refused'
    const result = await processRows(userId, draft, orderId, options)
    if (result !== 'unknown') return result
    // The server does not know the id (its data was restored), so nothing was bought under it. Try
    // once under a new id.
    const fresh = await getOrCreateOrderId()
    const retried = fresh === null ? 'refused' : await processRows(userId, draft, fresh, options)
    return retried === 'unknown' ? 'refused' : retried
  } finally {
    useBulk.setState({ submitting: false })
  }
}

/** Also takes over the order id of another tab or draft with the same table. */
async function isSubmittedElsewhere(userId: string, draft: BulkDraft): Promise<boolean> {
  let known: Submission | undefined
  try {
    known = await takeOverSubmission(userId)
  } catch {
    useBulk.setState({ problem: { ...submitProblem(texts.submissionUnread), canRetry: true } })
    return true
  }
  if (!known?.accepted) return false
  const rows = sentRows({ ...draft, part: known.part })
  await removeAccepted(userId, { ...draft, rows: onlyLines(rows, known.part) }, known.orderId ?? '')
  const isWhole = useBulk.getState().draft.rows.length === 0
  const text = isWhole ? texts.submittedElsewhere : texts.partSubmittedElsewhere
  useBulk.setState({ problem: submitProblem(text) })
  return true
}

/** The rows that are sent: after a lost response the same as before, which may have been accepted. */
function rowsToSend(draft: BulkDraft, { firstRows }: SubmitOptions): GridRow[] {
  if (draft.lost) return sentRows(draft)
  return firstRows === undefined ? draft.rows : draft.rows.slice(0, firstRows)
}

async function getOrCreateOrderId(): Promise<string | null> {
  const { userId, draft } = useBulk.getState()
  if (draft.orderId !== null || userId === null) return draft.orderId
  try {
    return (await send(initBatch, { body: { userId } })).orderId
  } catch (reason) {
    const message = messageOf(reason, texts.initFailed)
    const isLost = isAnswerLost(reason)
    const advice = httpStatusOf(reason) === 0 ? texts.nothingSent : texts.nothingOrdered
    const text = isLost ? `${asSentence(message)} ${advice}` : message
    useBulk.setState({ problem: { ...submitProblem(text), canRetry: isLost } })
    return null
  }
}

function isChanged({ key, rows }: ReviewedTable): boolean {
  const { draft } = useBulk.getState()
  return draft.key !== key || draft.rows !== rows
}

async function processRows(
  userId: string,
  reviewed: ReviewedTable,
  orderId: string,
  options: SubmitOptions,
): Promise<SubmitResult | 'unknown'> {
  const { draft } = useBulk.getState()
  if (isChanged(reviewed)) return refuse(submitProblem(texts.changed))
  const { key, files, lost: wasLost } = draft
  const rows = rowsToSend(draft, options)
  // While it is on its way it counts as lost: the page may be closed before the response.
  const part = wasLost ? draft.part : lineIdsOf(rows)
  const before = { orderId, lost: wasLost, part: wasLost ? part : null }
  const saved = await saveSubmission(userId, key, { orderId, lost: true, part })
  if (saved.orderId !== orderId) return refuse({ ...submitProblem(texts.lost), canRetry: true })
  if (isChanged(reviewed)) {
    await saveSubmission(userId, key, before)
    return refuse(submitProblem(texts.changed))
  }
  const sent = { key, files, rows }
  try {
    const totalCount = await sendRows(userId, orderId, { draft, rows, ...options })
    await handleAccepted(userId, sent, orderId, totalCount)
    return 'accepted'
  } catch (reason) {
    const end = await endOfRefusal(reason, orderId, wasLost)
    if (end === 'accepted' && wasLost && part !== null) {
      const all = sentRows({ rows: draft.rows, part })
      await removeAccepted(userId, { key, files, rows: onlyLines(all, part) }, orderId)
    } else if (end === 'unknown id') await saveSubmission(userId, key, { ...before, orderId: null })
    else
      await saveSubmission(
        userId,
        key,
        end === 'open' ? { orderId, lost: true, part } : { orderId, lost: false, part: null },
      )
    if (reason instanceof ApiError && reason.code === 'already_bought') {
      useBulk.setState({ problem: submitProblem(reason.message) })
      return 'repeats'
    }
    if (reason instanceof ApiError && reason.code === 'price_changed') {
      useBulk.setState({ problem: submitProblem(texts.priceChanged) })
      return 'price changed'
    }
    if (reason instanceof ApiError && reason.code === 'insufficient_balance') {
      useBulk.setState({ problem: submitProblem(reason.message) })
      return 'balance'
    }
    return handleRefusal(rows, reason, end === 'accepted')
  }
}

function refuse(problem: SubmitProblem): 'refused' {
  useBulk.setState({ problem })
  return 'refused'
}

async function sendRows(
  userId: string,
  orderId: string,
  sent: SubmitOptions & { draft: BulkDraft; rows: GridRow[] },
): Promise<number> {
  const { draft, rows, allowRepeats = false, repeats, shownCost } = sent
  const replaces = replacedOrders(draft, rows)
  const file = submittedFile(draft, rows, sha256OfText)
  const { totalCount, warnings = [] } = await send(processBatch, {
    params: { userId },
    body: {
      orderId,
      orderData: rows.map(toSubmittedRow),
      ...(replaces.length > 0 && { replaces }),
      ...(file && { file }),
      ...(allowRepeats && { allowRepeats, repeats }),
      maxCost: dollars(shownCost(rows)),
    },
  })
  rememberBought(userId, orderId, rows, Date.now())
  const [warning] = warnings
  if (warning) notifyPage('yellow', texts.acceptedWarnings(warnings.length, warning.message))
  return totalCount
}

async function handleAccepted(
  userId: string,
  sent: Pick<BulkDraft, 'key' | 'rows' | 'files'>,
  orderId: string,
  totalCount: number,
): Promise<void> {
  await removeAccepted(userId, sent, orderId)
  // Another user may have signed in meanwhile.
  if (useBulk.getState().userId !== userId) return
  initializeOrder({ orderId, totalCount })
  void refreshUser()
  void queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) })
}

/** 'accepted': the order exists, with other rows than these. */
async function endOfRefusal(
  reason: unknown,
  orderId: string,
  wasLost: boolean,
): Promise<RefusalEnd> {
  const end = refusalEnd(reason, wasLost)
  if (end !== 'conflict') return end
  const accepted = await wasAccepted(orderId)
  return accepted === null ? 'open' : accepted ? 'accepted' : 'refused'
}

/** The order exists only once rows were accepted under its id. Null without an answer. */
const wasAccepted = (orderId: string): Promise<boolean | null> =>
  send(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }).then(
    () => true,
    (reason: unknown) => (isAnswerLost(reason) ? null : false),
  )

/** `conflict`: other rows were already accepted under this id. */
function handleRefusal(
  rows: readonly GridRow[],
  reason: unknown,
  conflict: boolean,
): 'invalid' | 'refused' | 'unknown' {
  const refused = toServerRowErrors(rows, fieldErrorsOf(reason))
  if (isAnswerLost(reason)) {
    const advice = httpStatusOf(reason) === 0 ? texts.lost : texts.sendAgain
    const text = `${asSentence(messageOf(reason, texts.processFailed))} ${advice}`
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
