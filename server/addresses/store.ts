import { sql } from 'kysely'
import type { AddressForm } from '#contract/addresses.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type Address = AddressForm & { id: number; isDefault: boolean }

const COLUMNS = [
  'id',
  'address_id',
  'name',
  'company',
  'phone',
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'is_default as isDefault',
] as const

/** Oldest first. */
export async function selectAddressIds(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('saved_address')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export function selectAddresses(db: Db, ids: number[]): Promise<Address[]> {
  return db
    .selectFrom('saved_address')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .execute()
}

export async function countAddresses(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from saved_address where user_id = ${userId}`.execute(db)
  return rows[0]!.n
}

export function insertAddress(tx: Tx, userId: number, address: AddressForm): Promise<Address> {
  return tx
    .insertInto('saved_address')
    .values({ user_id: userId, ...address })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Undefined if the user has no such address. */
export function updateAddress(
  tx: Tx,
  userId: number,
  id: number,
  address: AddressForm,
): Promise<Address | undefined> {
  return tx
    .updateTable('saved_address')
    .set(address)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** The caller has locked the user. */
export async function clearDefaultAddress(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('saved_address')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute()
}

/** No other address of the user may be the default. False if the user has no such address. */
export async function markDefaultAddress(tx: Tx, userId: number, id: number): Promise<boolean> {
  const marked = await tx
    .updateTable('saved_address')
    .set({ is_default: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

export async function deleteAddress(tx: Tx, userId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('saved_address')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function deleteAddressesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('saved_address').where('user_id', '=', userId).execute()
}
