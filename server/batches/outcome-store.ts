import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `uncharged`: prices of labels that were not bought, or bought and voided. */
export type ExceptionSums = { voided: number; uncharged: Cents }

/** Reads only the labels that are failed, unknown or voided. Batches without any are left out. */
export async function sumExceptions(
  db: Db,
  batchIds: number[],
): Promise<Map<number, ExceptionSums>> {
  const { rows } = await sql<{ id: number; voided: number; uncharged: number }>`
    select b.id, count(*) filter (where o.state = 'voided')::int as voided, sum(o.price_cents)::bigint as uncharged
      from unnest(${arrayOf('bigint', batchIds)}) as b (id)
      cross join lateral (
        select state, price_cents from shipment_order where batch_id = b.id and state in ('failed', 'unknown')
        union all
        select state, price_cents from shipment_order where batch_id = b.id and state = 'voided') o
      group by b.id`.execute(db)
  return new Map(
    rows.map(({ id, voided, uncharged }) => [id, { voided, uncharged: cents(uncharged) }]),
  )
}
