/** Keeps sums over the ledger that other modules store, each transfer in them exactly once. */
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { selectCompleteBefore, tryLock } from './complete-store.ts'

/** What a module stores. `most`: transfers that one transaction adds. */
export type StoredSums = {
  /** Of the lock, so that one process at a time adds to them. */
  lockName: string
  most: number
  /** Whether at least `atLeast` transfers are not in them. */
  hasNew: (db: Db, atLeast: number) => Promise<boolean>
  /** Adds at most `most` transfers from before `completeBefore`. Returns their number. */
  addNext: (tx: Tx, completeBefore: string, most: number) => Promise<number>
}

/**
 * Adds the complete transfers, unless fewer than `from` are new; does nothing while another process adds them. A process that
 * dies in between loses nothing.
 */
export async function addNewTransfers(
  database: Database,
  { lockName, most, hasNew, addNext }: StoredSums,
  from: number,
  isStopped: () => boolean,
): Promise<void> {
  if (!(await hasNew(database.db, from))) return
  const addChunk = (): Promise<number> =>
    database.tx(async tx =>
      (await tryLock(tx, lockName)) ? addNext(tx, await selectCompleteBefore(tx), most) : 0,
    )
  while (!isStopped() && (await addChunk()) === most);
}
