import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** `maxLoss`: null where the limit of the installation counts. */
export type LossLimitRecord = { id: number; uid: string; name: string; maxLoss: Cents | null }

/** Of all default services, in their order. */
export async function selectLossLimits(db: Db): Promise<LossLimitRecord[]> {
  const { rows } = await sql<LossLimitRecord>`
    select id, uid, name, max_loss_cents as "maxLoss" from default_service order by position, id`.execute(
    db,
  )
  return rows.map(row => ({ ...row, maxLoss: row.maxLoss === null ? null : cents(row.maxLoss) }))
}

/** Call it under the catalogue's lock. */
export async function updateLossLimit(
  tx: Tx,
  defaultId: number,
  maxLoss: Cents | null,
): Promise<void> {
  await sql`update default_service set max_loss_cents = ${maxLoss}::bigint where id = ${defaultId}::bigint`.execute(
    tx,
  )
}
