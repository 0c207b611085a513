import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `checking`: of unknown result. `editable`: failed, and not replaced by another batch. */
export type UnboughtTotals = {
  failed: number
  editable: number
  failedPrice: Cents
  checking: number
  checkingPrice: Cents
}

export async function sumUnbought(db: Db, batchId: number): Promise<UnboughtTotals> {
  const { rows } = await sql<{
    failed: number
    editable: number
    failedPrice: string
    checking: number
    checkingPrice: string
  }>`
    select count(*) filter (where state = 'failed')::int as failed,
        count(*) filter (where state = 'failed' and replaced_by is null)::int as editable,
        coalesce(sum(price_cents) filter (where state = 'failed'), 0)::text as "failedPrice",
        count(*) filter (where state = 'unknown')::int as checking,
        coalesce(sum(price_cents) filter (where state = 'unknown'), 0)::text as "checkingPrice"
      from shipment_order where batch_id = ${batchId} and state in ('failed', 'unknown')`.execute(
    db,
  )
  const [row] = rows
  return {
    ...row!,
    failedPrice: cents(Number(row!.failedPrice)),
    checkingPrice: cents(Number(row!.checkingPrice)),
  }
}

/** Most frequent first, then by the first row. `reason`: null if the carrier gave none. */
export async function selectFailureReasons(
  db: Db,
  batchId: number,
  limit: number,
): Promise<{ reason: string | null; count: number }[]> {
  const { rows } = await sql<{ reason: string | null; count: number }>`
    select reason, count(*)::int as count from shipment_order
      where batch_id = ${batchId} and state = 'failed'
      group by reason order by count(*) desc, min(row_no) limit ${limit}`.execute(db)
  return rows
}
