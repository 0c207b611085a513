import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Cents } from '#contract/money.ts'
import type { ProviderInvoice } from '#server/payments/port.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { SandboxInvoiceState } from './rules.ts'

export type SandboxInvoice = Omit<ProviderInvoice, 'checkoutLink'> & { requested: Cents | null }

// An unpaid invoice is expired from `expires_at` on, even while its row still has 'New'.
const INVOICE = sql`select i.id, i.reference, i.requested_cents as requested, i.additional_status as "additionalStatus",
    case when i.status = 'New' and i.expires_at <= clock_timestamp() then 'Expired' else i.status end as status,
    i.created_at as "createdAt", i.expires_at as "expiresAt",
    (select coalesce(sum(p.cents), 0)::bigint from sandbox_payment p where p.invoice_id = i.id) as paid,
    (select coalesce(sum(p.cents), 0)::bigint from sandbox_payment p where p.invoice_id = i.id and p.settled) as confirmed,
    (select min(p.received_at) from sandbox_payment p where p.invoice_id = i.id and not p.settled) as "unconfirmedSince"
  from sandbox_invoice i`

async function querySandboxInvoice(
  db: Db,
  query: RawBuilder<unknown>,
): Promise<SandboxInvoice | undefined> {
  const { rows } = await query.execute(db)
  return rows[0] as SandboxInvoice | undefined
}

export async function insertSandboxInvoice(
  tx: Tx,
  id: string,
  { reference, requested }: { reference: string; requested: Cents | null },
  minutes: number,
): Promise<void> {
  await sql`insert into sandbox_invoice (id, reference, requested_cents, expires_at)
    values (${id}, ${reference}, ${requested}, now() + ${minutes} * interval '1 minute')`.execute(
    tx,
  )
}

export const findSandboxInvoice = (db: Db, id: string): Promise<SandboxInvoice | undefined> =>
  querySandboxInvoice(db, sql`${INVOICE} where i.id = ${id}`)

export const lockSandboxInvoice = async (
  tx: Tx,
  id: string,
): Promise<SandboxInvoice | undefined> => {
  // Locked first, then read: one statement would read the payments from before it waited for the
  // lock.
  await sql`select 1 from sandbox_invoice where id = ${id} for update`.execute(tx)
  return findSandboxInvoice(tx, id)
}

export const findNewestByReference = (
  db: Db,
  reference: string,
): Promise<SandboxInvoice | undefined> =>
  querySandboxInvoice(
    db,
    sql`${INVOICE} where i.reference = ${reference} order by i.created_at desc, i.id desc limit 1`,
  )

export async function updateInvoiceState(
  tx: Tx,
  id: string,
  { status, additionalStatus }: SandboxInvoiceState,
): Promise<void> {
  await sql`update sandbox_invoice set status = ${status}, additional_status = ${additionalStatus} where id = ${id}`.execute(
    tx,
  )
}

export async function insertPayment(
  tx: Tx,
  id: string,
  cents: Cents,
  late: boolean,
): Promise<void> {
  await sql`insert into sandbox_payment (invoice_id, cents, late) values (${id}, ${cents}, ${late})`.execute(
    tx,
  )
}
