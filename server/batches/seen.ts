import type { SeenFile, SeenRow } from '#contract/endpoint.ts'
import { plural } from '#contract/format.ts'
import { selectLabelsOfOrders } from '#server/orders/service.ts'
import type { LabelOfOrder } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { matchSeen } from './seen-rules.ts'
import type { SeenKey } from './seen-rules.ts'
import { selectBatchOfFile } from './seen-store.ts'

const ORDERS_A_QUERY = 500
/** Rows named in a refusal. */
const MAX_NAMED_ROWS = 1_000

/** What is asked about: rows by their orders, and the file they come from. */
export type SeenQuestion = { keys: readonly SeenKey[]; fileHash: string | null }
export type SeenAnswer = { file: SeenFile | null; rows: SeenRow[] }

/** Labels that the user has for these rows, and the newest bulk order of their file. */
export async function findSeen(
  db: Db,
  userId: number,
  { keys, fileHash }: SeenQuestion,
): Promise<SeenAnswer> {
  const references = [...new Set(keys.map(({ reference }) => reference))]
  const labels: LabelOfOrder[] = []
  for (let from = 0; from < references.length; from += ORDERS_A_QUERY) {
    const some = references.slice(from, from + ORDERS_A_QUERY)
    for (const label of await selectLabelsOfOrders(db, userId, some)) labels.push(label)
    await yieldToOthers()
  }
  const batch = fileHash === null ? undefined : await selectBatchOfFile(db, userId, fileHash)
  return {
    file: batch
      ? { batchId: String(batch.batchId), at: batch.at.toISOString(), labels: batch.labels }
      : null,
    rows: matchSeen(keys, labels).map(({ orderId, at, ...label }) => ({
      ...label,
      orderId: String(orderId),
      at: at.toISOString(),
    })),
  }
}

/** `lacksOrderIds`: of some rows only the file tells whether they were bought. */
export type RowsToBuy = SeenQuestion & { lacksOrderIds: boolean }

/** Throws Refusal 'conflict' with the reason `already_bought` if rows have a label. */
export async function refuseSeen(db: Db, userId: number, rows: RowsToBuy): Promise<void> {
  const seen = await findSeen(db, userId, rows)
  const count = seen.rows.length
  if (count === 0 && !(seen.file && rows.lacksOrderIds)) return
  const text =
    count > 0
      ? `${count.toLocaleString('en-US')} ${plural(count, 'row already has', 'rows already have')} a label`
      : `This file was bought before, in bulk order ${seen.file!.batchId}`
  throw new Refusal(
    'conflict',
    `${text}. Leave them out, or allow repeats.`,
    undefined,
    undefined,
    {
      reason: 'already_bought',
      seen: { file: seen.file, rowCount: count, rows: seen.rows.slice(0, MAX_NAMED_ROWS) },
    },
  )
}
