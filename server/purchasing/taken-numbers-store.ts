import { sql } from 'kysely'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db } from '#server/platform/database/database.ts'

/** USPS gives no number again within 120 days of its label. */
const NUMBER_DAYS = 100

/** The labels with these tracking numbers, bought lately and from real accounts. */
export async function selectLabelsOfNumbers(
  db: Db,
  trackingNumbers: readonly string[],
): Promise<{ id: number; trackingNumber: string }[]> {
  const { rows } = await sql<{ id: number; trackingNumber: string }>`
    select id, tracking_number as "trackingNumber" from shipment_order
      where tracking_number is not null and purchased_at > clock_timestamp() - ${sql.lit(NUMBER_DAYS)} * interval '1 day'
        and not is_of_test_account(carrier_account)
        and reverse(tracking_number) = any(array(select reverse(t) from unnest(${arrayOf('text', trackingNumbers)}) t))`.execute(
    db,
  )
  return rows
}
