/**
 * The end of a batch: nothing open any more → files are made → counts and status are frozen. Each step is a transaction of its
 * own under the batch's lock and may be repeated; a process that dies in between is followed by the sweep of another.
 */
import { insertAudit } from '#server/accounts/store.ts'
import { makeBatchFiles } from '#server/labels/batch-files.ts'
import { countWanted, wantAgain } from '#server/labels/carrier-paper-store.ts'
import { upsertFile } from '#server/labels/store.ts'
import type { WithOrders } from '#server/orders/settle.ts'
import { countStates, hasOpenRows } from '#server/orders/store.ts'
import type { Tx } from '#server/platform/database.ts'
import { filedRows } from './filed.ts'
import { countsOf, fileNames, filesProblem, finalStatus, isOpen, mayEnd } from './rules.ts'
import {
  endBatch,
  failFiles,
  lockBatches,
  recount,
  setLease,
  startFiles,
  startWaiting,
} from './store.ts'
import type { BatchRecord } from './store.ts'

export type WithBatches = WithOrders

/** Renewed while the files are made; a process that died over them is followed by another after this. */
const FILES_LEASE_MS = 6_000
const FILES_RETRY_MS = 5_000
/** Rows of a closed batch that change one after another, such as 500 voids, wait for each other: its files are made once for all. */
const QUIET_MS = 1_000

/** `none`: nothing is to be made, or another process has it in hand. */
export type Made = 'made' | 'none' | { problem: string }

/** Files are made at once, even if they are up to date. `actorId`: the administrator who asked for it, for the audit. */
export type Again = { actorId?: number }

/** Ends a batch if it is ready to end. Safe to call at any time, by anybody, as often as one likes. */
export async function endIfReady(
  house: WithBatches,
  batchId: number,
  again?: Again,
): Promise<Made> {
  if (await hasOpenRows(house.database.db, batchId)) return 'none'
  const batch = await house.database.tx(tx => takeFiles(house, tx, batchId, again))
  if (!batch) return 'none'
  house.batchKeeper.progressed([batchId])
  const renewing = setInterval(() => {
    house.database.tx(tx => setLease(tx, batchId, FILES_LEASE_MS)).catch(() => {})
  }, FILES_LEASE_MS / 3)
  try {
    const made = await makeBatchFiles(
      house.files,
      fileNames(batch.id, batch.fileKey, house.config.mode === 'sandbox'),
      () => filedRows(house, batch),
    )
    await house.database.tx(async tx => {
      const [locked] = await lockBatches(tx, [batchId])
      for (const { orderId, fileName } of made.missing) await wantAgain(tx, orderId, fileName!)
      for (const [kind, file] of [
        ['pdf', made.pdf],
        ['result-csv', made.result],
        ['auto-csv', made.confirm],
      ] as const) {
        if (file) await upsertFile(tx, { ...file, kind, userId: batch.userId, batchId })
      }
      const states = (await countStates(tx, [batchId])).get(batchId)!
      const counts = countsOf('completed', states)
      await endBatch(tx, batchId, {
        status: locked!.status === 'generating_files' ? finalStatus(states) : locked!.status!,
        ...counts,
        changes: batch.changes,
        pdfName: made.pdf?.name ?? null,
        resultName: made.result.name,
        confirmName: made.confirm?.name ?? null,
      })
    })
    return 'made'
  } catch (error) {
    house.log.error(
      { err: error, batchId },
      'the files of a batch could not be made; it will be tried again',
    )
    clearInterval(renewing)
    const problem = filesProblem((error as { code?: unknown }).code)
    await house.database.tx(tx => failFiles(tx, batchId, problem, FILES_RETRY_MS))
    return { problem }
  } finally {
    clearInterval(renewing)
    house.batchKeeper.progressed([batchId])
  }
}

/** Takes the batch for making its files, if it has come so far and nobody else has it. */
async function takeFiles(
  house: WithBatches,
  tx: Tx,
  batchId: number,
  again?: Again,
): Promise<BatchRecord | null> {
  const [batch] = await lockBatches(tx, [batchId])
  if (!batch?.status || batch.leased) return null
  if (isOpen(batch.status)) {
    if (await hasOpenRows(tx, batchId)) return null
    const states = (await countStates(tx, [batchId])).get(batchId)!
    const wanted = house.carrier.fetchLabel ? await countWanted(tx, batchId) : 0
    if (!mayEnd(batch.status, states.unknown, wanted, batch.waitedMs)) {
      await startWaiting(tx, batchId)
      return null
    }
    await startFiles(tx, batchId, 'generating_files', FILES_LEASE_MS)
    return batch
  }
  const isDue =
    batch.status === 'generating_files' || (batch.filesStale && batch.quietMs >= QUIET_MS)
  if (!isDue && !again) return null
  if (again?.actorId !== undefined) {
    await insertAudit(tx, {
      actorId: again.actorId,
      subjectId: batch.userId,
      action: 'files-made-again',
      detail: { batchId },
    })
  }
  // Files made again for a batch that has ended keep its status: it is not opened a second time.
  await startFiles(tx, batchId, batch.status, FILES_LEASE_MS)
  return batch
}

/** A closed batch's rows have changed: what is frozen follows in the same transaction, the files soon after. */
export async function followRows(tx: Tx, batchIds: number[]): Promise<void> {
  const states = await countStates(tx, batchIds)
  for (const batch of await lockBatches(tx, batchIds)) {
    if (!batch.status || isOpen(batch.status)) continue
    const counts = countsOf('completed', states.get(batch.id)!)
    const status =
      batch.status === 'generating_files' ? batch.status : finalStatus(states.get(batch.id)!)
    await recount(tx, batch.id, status, counts.processed, counts.failed)
  }
}
