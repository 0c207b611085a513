import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/database/database.ts'
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

async function selectOwnersToCollect(db: Db, most: number): Promise<number[]> {
  const { rows } = await sql<{ ownerId: number }>`
    select distinct c.owner_id as "ownerId" from owed_charge c
      join account a on a.owner_id = c.owner_id and a.kind = 'available' join balance b on b.account_id = a.id
      where c.collected_cents + c.waived_cents < c.cents and b.credits > b.debits
      order by c.owner_id limit ${most}`.execute(db)
  return rows.map(({ ownerId }) => ownerId)
}
