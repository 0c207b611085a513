import type { Database } from '#server/platform/database/database.ts'
import { selectOwnersToCollect } from './left-behind-store.ts'
import { collectOwed } from './owed-charges.ts'
import { lockBalances } from './store.ts'

/**
 * Collects from balances that have money beside charges that wait, which only a process of a version
 * without such charges leaves behind. Returns of how many users, `most` at a time.
 */
export const collectLeftBehind = (database: Database, most: number): Promise<number> =>
  database.tx(async tx => {
    const ownerIds = await selectOwnersToCollect(tx, most)
    if (ownerIds.length === 0) return 0
    await lockBalances(tx, ownerIds)
    await collectOwed(tx, ownerIds)
    return ownerIds.length
  })
