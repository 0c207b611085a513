import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Users with money beside charges that wait. */
export async function selectOwnersToCollect(db: Db, most: number): Promise<number[]> {
  const { rows } = await sql<{ ownerId: number }>`
    select distinct c.owner_id as "ownerId" from owed_charge c
      join account a on a.owner_id = c.owner_id and a.kind = 'available' join balance b on b.account_id = a.id
      where c.collected_cents + c.waived_cents < c.cents and b.credits > b.debits
      order by c.owner_id limit ${most}`.execute(db)
  return rows.map(({ ownerId }) => ownerId)
}
