import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TestDatabase } from './database.ts'

/** The offset of a place where it is about noon now, in minutes from UTC: no midnight passes there while a test looks on. */
export function noonOffset(): number {
  const now = new Date()
  return Math.round((12 * 60 - (now.getUTCHours() * 60 + now.getUTCMinutes())) / 15) * 15
}

/** The zone of that place, for a browser; the names of these zones have the sign turned round. */
export function noonZone(): string {
  const hours = Math.round(noonOffset() / 60)
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** Gives the ledger a past: transfers for which `which` holds were written at `at`. Both are SQL on the table. */
export const backdateTransfers = (
  { owner }: TestDatabase,
  at: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> =>
  owner.tx(async tx => {
    await sql`alter table transfer disable trigger transfer_immutable`.execute(tx)
    await sql`update transfer set created_at = ${at} where ${which}`.execute(tx)
    await sql`alter table transfer enable trigger transfer_immutable`.execute(tx)
  })

/** As if all administrators had been made a day earlier. */
export const backdateRoles = ({ owner }: TestDatabase): Promise<void> =>
  owner.tx(async tx => {
    await sql`alter table audit_entry disable trigger audit_entry_immutable`.execute(tx)
    await sql`update audit_entry set created_at = created_at - interval '24 hours' where action = 'role'`.execute(
      tx,
    )
    await sql`alter table audit_entry enable trigger audit_entry_immutable`.execute(tx)
  })

/** Moves a user's orders into the past. `at` is SQL; `position` in it counts their orders from 1. */
export const backdateOrders = (
  { owner }: TestDatabase,
  userId: string,
  at: RawBuilder<unknown>,
): Promise<void> =>
  owner.tx(async tx => {
    await sql`alter table order_list_entry disable trigger order_list_entry_immutable`.execute(tx)
    await sql`update order_list_entry set placed_at = ${at} where user_id = ${userId}`.execute(tx)
    await sql`alter table order_list_entry enable trigger order_list_entry_immutable`.execute(tx)
    await sql`update shipment_order o set created_at = e.placed_at from order_list_entry e
      where e.order_id = o.id and e.user_id = ${userId}`.execute(tx)
  })
