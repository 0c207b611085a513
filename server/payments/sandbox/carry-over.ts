import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/database/database.ts'

/**
 * Brings the sandbox payment service's books from one database into another that was put back from a backup: what was paid there
 * since stays paid. Invoices of which the restored house knows nothing stay the payment service's own.
 */
export async function carrySandboxPayments(from: Db, into: Database): Promise<void> {
  const { rows: invoices } = await sql`select * from sandbox_invoice`.execute(from)
  const { rows: payments } = await sql`select * from sandbox_payment`.execute(from)
  await into.tx(async tx => {
    await sql`insert into sandbox_invoice select * from json_populate_recordset(null::sandbox_invoice, ${JSON.stringify(invoices)}::json)
      on conflict (id) do update set status = excluded.status, additional_status = excluded.additional_status,
        expires_at = excluded.expires_at`.execute(tx)
    await sql`insert into sandbox_payment overriding system value
      select * from json_populate_recordset(null::sandbox_payment, ${JSON.stringify(payments)}::json)
      on conflict (id) do update set settled = excluded.settled`.execute(tx)
    const sequence = sql`pg_get_serial_sequence('sandbox_payment', 'id')`
    await sql`select setval(${sequence}, greatest(1, (select max(id) from sandbox_payment)))`.execute(
      tx,
    )
  })
}
