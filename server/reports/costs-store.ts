/** What the carrier charged for labels, by weight. */
import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `cost`: the average of `labels` labels, in whole cents. */
export type PoundCost = { serviceUid: string; pounds: number; labels: number; cost: Cents }

/**
 * Of the bought labels among the newest `newest` orders, by service and pound; a parcel counts with
 * its weight rounded up, as it is priced.
 */
export async function selectPoundCosts(db: Db, newest: number): Promise<PoundCost[]> {
  const { rows } = await sql<Omit<PoundCost, 'cost'> & { cost: number }>`
    select service_uid as "serviceUid", greatest(1, ceil((package ->> 'weight')::numeric))::int as pounds,
        count(*) as labels, round(avg(cost_cents))::bigint as cost
      from (select service_uid, package, cost_cents from shipment_order order by id desc limit ${newest}) newest
      where cost_cents is not null and package ->> 'weight' is not null
      group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(row => ({ ...row, cost: cents(row.cost) }))
}
