import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/database/database.ts'

/**
 * Copies the sandbox provider's data into a restored database: an external provider would not roll
 * back either, so payments since the backup stay paid. Invoices unknown to the restored data stay
 * at the provider only.
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
