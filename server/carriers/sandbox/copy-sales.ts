import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/database/database.ts'

const PAGE_ROWS = 5_000

/**
 * Copies the sandbox carrier's records into a restored database: the carrier is another company and
 * does not forget sales. Returns the number of labels.
 */
export async function carrySandboxSales(from: Db, into: Database): Promise<number> {
  let sold = 0
  for (let after = ''; ;) {
    const { rows } = await sql<{ attempt_key: string }>`
      select * from sandbox_purchase where attempt_key > ${after} order by attempt_key limit ${PAGE_ROWS}`.execute(
      from,
    )
    if (rows.length === 0) break
    await into.tx(tx =>
      sql`
      insert into sandbox_purchase select * from json_populate_recordset(null::sandbox_purchase, ${JSON.stringify(rows)}::json)
        on conflict (attempt_key) do update
          set tracking_number = excluded.tracking_number, bought_at = excluded.bought_at, voided_at = excluded.voided_at`.execute(
        tx,
      ),
    )
    sold += rows.length
    after = rows.at(-1)!.attempt_key
  }
  const { rows: busy } = await sql`select * from sandbox_call_count`.execute(from)
  const {
    rows: [serial],
  } = await sql<{ last: number }>`select last_value as last from sandbox_serial`.execute(from)
  await into.tx(async tx => {
    await sql`insert into sandbox_call_count select * from json_populate_recordset(null::sandbox_call_count, ${JSON.stringify(busy)}::json)
      on conflict (attempt_key) do update set refusals = excluded.refusals`.execute(tx)
    await sql`select setval('sandbox_serial', greatest(${serial!.last}::bigint, (select last_value from sandbox_serial)))`.execute(
      tx,
    )
  })
  return sold
}
