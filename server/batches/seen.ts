import type { SubmittedFile } from '#contract/batches.ts'
import type { SeenFile, SeenRow } from '#contract/endpoint.ts'
import { numberText, plural } from '#contract/format.ts'
import { selectFailedIds, selectLabelsOfOrders } from '#server/orders/service.ts'
import type { LabelOfOrder } from '#server/orders/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { matchSeen, seenKeysOf } from './seen-rules.ts'
import type { SeenKey, SeenLabel } from './seen-rules.ts'
import { selectBatchOfFile } from './seen-store.ts'
import type { BatchRecord } from './store.ts'

const ORDERS_A_QUERY = 500
/** Rows named in a refusal. */
const MAX_NAMED_ROWS = 1_000

/**
 * What is asked about: rows by their orders, and the file they come from. `failedOf`: the batch whose
 * failed rows they are; then only labels that another batch has ordered since count.
 */
export type SeenQuestion = {
  keys: readonly SeenKey[]
  fileHash: string | null
  failedOf?: BatchRecord
  /** The bulk order being submitted: its own rows, already inserted, are no repeats. */
  exceptBatchId?: number
}
export type SeenAnswer = { file: SeenFile | null; rows: SeenRow[] }

/** Labels that the user has for these rows, and the newest bulk order of their file. */
export async function findSeen(
  db: Db,
  userId: number,
  { keys, fileHash, failedOf, exceptBatchId }: SeenQuestion,
): Promise<SeenAnswer> {
  const labels = failedOf
    ? await labelsSince(db, failedOf, keys, (await failedKeys(db, failedOf.id)).replaced)
    : await labelsFor(db, userId, keys, exceptBatchId)
  const batch = fileHash === null ? undefined : await selectBatchOfFile(db, userId, fileHash)
  return {
    file: batch
      ? { batchId: String(batch.batchId), at: batch.at.toISOString(), labels: batch.labels }
      : null,
    rows: matchSeen(keys, labels).map(seenRowWire),
  }
}

/** Whether the user has labels of the file. */
export const isFileSeen = async (db: Db, userId: number, file: SubmittedFile): Promise<boolean> =>
  (await selectBatchOfFile(db, userId, file.sha256.toLowerCase())) !== undefined

/** The user's labels of the orders of these keys, oldest first in each order; none of the batch `exceptBatchId`. */
async function labelsFor(
  db: Db,
  userId: number,
  keys: readonly SeenKey[],
  exceptBatchId: number | null = null,
): Promise<LabelOfOrder[]> {
  const references = [...new Set(keys.map(({ reference }) => reference))]
  const labels: LabelOfOrder[] = []
  for (let from = 0; from < references.length; from += ORDERS_A_QUERY) {
    const some = references.slice(from, from + ORDERS_A_QUERY)
    for (const label of await selectLabelsOfOrders(db, userId, some, exceptBatchId))
      labels.push(label)
    await yieldToOthers()
  }
  return labels
}

const seenRowWire = ({ row, label }: SeenLabel): SeenRow => ({
  row,
  orderId: String(label.id),
  trackingNumber: label.trackingNumber,
  at: label.at.toISOString(),
})

/**
 * `lacksOrderIds`: of some rows only the file tells whether they were bought. `repeats`: how many
 * rows may have a label; null if neither a row nor the file may be bought again.
 */
export type RowsToBuy = SeenQuestion & { lacksOrderIds: boolean; repeats: number | null }

/** Throws Refusal 'already_bought' if more rows have a label than may. */
export async function refuseSeen(db: Db, userId: number, rows: RowsToBuy): Promise<void> {
  const { repeats, lacksOrderIds } = rows
  const seen = await findSeen(db, userId, rows)
  const count = seen.rows.length
  if (count <= (repeats ?? 0) && (repeats !== null || !seen.file || !lacksOrderIds)) return
  const more = repeats ? `, ${numberText(count - repeats)} more than allowed` : ''
  const text =
    count > 0
      ? `${numberText(count)} ${plural(count, 'row already has', 'rows already have')} a label${more}`
      : `This file was bought before, in bulk order ${seen.file!.batchId}`
  throw alreadyBought(`${text}. Leave them out, or allow repeats.`, seen)
}

/**
 * Before a retry. Throws Refusal 'already_bought' if failed rows of the
 * batch have a label that another batch has ordered since. Its own edited rows are no such labels.
 */
export async function refuseBoughtSince(tx: Tx, batch: BatchRecord): Promise<void> {
  const { open, replaced } = await failedKeys(tx, batch.id)
  const seen = matchSeen(open, await labelsSince(tx, batch, open, replaced))
  if (seen.length === 0) return
  const count = seen.length
  throw alreadyBought(
    `${numberText(count)} of the failed rows ${plural(count, 'was', 'were')} bought since, in ${bulkOrdersOf(seen)}: `
      + `${rowsText(seen)}. Edit the failed rows and leave ${plural(count, 'it', 'them')} out.`,
    { file: null, rows: seen.map(seenRowWire) },
  )
}

type FailedKeys = { open: SeenKey[]; replaced: ReadonlySet<string> }

/** The failed rows of a batch: those not replaced, and 'batch/order' of each edited row. */
async function failedKeys(db: Db, batchId: number): Promise<FailedKeys> {
  const open: SeenKey[] = []
  const replaced = new Set<string>()
  for (const { rowNo, orderRef, itemRef, items, replacedBy } of await selectFailedIds(
    db,
    batchId,
  )) {
    const ids = { orderId: orderRef ?? '', orderItemId: itemRef ?? '', items: items ?? undefined }
    for (const key of seenKeysOf(rowNo, ids)) {
      if (key && replacedBy === null) open.push(key)
      else if (key) replaced.add(`${replacedBy}/${key.reference}`)
    }
  }
  return { open, replaced }
}

/** Labels for these orders that another batch has ordered since, without edited rows of the batch. */
const labelsSince = async (
  db: Db,
  { id, userId, acceptedAt, createdAt }: BatchRecord,
  keys: readonly SeenKey[],
  replaced: FailedKeys['replaced'],
): Promise<LabelOfOrder[]> =>
  (await labelsFor(db, userId, keys)).filter(
    ({ batchId, reference, queuedAt }) =>
      batchId !== null
      && batchId !== id
      && queuedAt > (acceptedAt ?? createdAt)
      && !replaced.has(`${batchId}/${reference}`),
  )

/** Bulk orders or rows that a sentence names. */
const MAX_IN_SENTENCE = 5

function bulkOrdersOf(seen: readonly SeenLabel[]): string {
  const ids = [...new Set(seen.map(({ label }) => label.batchId!))].sort((a, b) => a - b)
  if (ids.length > MAX_IN_SENTENCE) return `${numberText(ids.length)} other bulk orders`
  return `bulk ${plural(ids.length, 'order')} ${ids.join(', ')}`
}

function rowsText(seen: readonly SeenLabel[]): string {
  const named = seen.slice(0, MAX_IN_SENTENCE).map(({ row }) => row)
  const others = seen.length - named.length
  return `${plural(seen.length, 'row')} ${named.join(', ')}${others > 0 ? ` and ${numberText(others)} more` : ''}`
}

const alreadyBought = (text: string, { file, rows }: SeenAnswer): Refusal =>
  new Refusal('already_bought', text, {
    seen: { file, rowCount: rows.length, rows: rows.slice(0, MAX_NAMED_ROWS) },
  })
