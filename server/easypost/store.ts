/** Addresses and parcels. */
import { sql } from 'kysely'
import type { AddressVerifications } from '#contract/easypost-objects.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { AddressText, ParcelMeasures } from './rules.ts'

export type AddressRecord = {
  id: number
  key: string
  content: AddressText
  verifications: AddressVerifications | null
  createdAt: Date
  updatedAt: Date
}

const ADDRESS_COLUMNS = [
  'id',
  'key',
  'content',
  'verifications',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function insertAddress(
  tx: Tx,
  userId: number,
  content: AddressText,
  verifications: AddressVerifications | null,
): Promise<AddressRecord> {
  return tx
    .insertInto('api_address')
    .values({
      user_id: userId,
      content: JSON.stringify(content),
      verifications: verifications && JSON.stringify(verifications),
    })
    .returning(ADDRESS_COLUMNS)
    .executeTakeFirstOrThrow()
}

export function selectAddresses(
  db: Db,
  userId: number,
  keys: readonly string[],
): Promise<AddressRecord[]> {
  return db
    .selectFrom('api_address')
    .select(ADDRESS_COLUMNS)
    .where('user_id', '=', userId)
    .where('key', '=', sql<string>`any(${keys}::uuid[])`)
    .execute()
}

export async function selectAddressesById(
  db: Db,
  ids: readonly number[],
): Promise<AddressRecord[]> {
  const rows = await db
    .selectFrom('api_address')
    .select(ADDRESS_COLUMNS)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return inOrder(ids, rows)
}

/** Leaves out what does not exist. */
export function inOrder<Row extends { id: number }>(ids: readonly number[], rows: Row[]): Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => byId.get(id)).filter(row => row !== undefined)
}

export type ParcelRecord = ParcelMeasures & { id: number; key: string; createdAt: Date }

const PARCEL_COLUMNS = [
  'id',
  'key',
  'length',
  'width',
  'height',
  'weight',
  'created_at as createdAt',
] as const

export const insertParcel = (
  tx: Tx,
  userId: number,
  measures: ParcelMeasures,
): Promise<ParcelRecord> =>
  tx
    .insertInto('api_parcel')
    .values({ user_id: userId, ...measures })
    .returning(PARCEL_COLUMNS)
    .executeTakeFirstOrThrow()

export const selectParcels = (
  db: Db,
  userId: number,
  keys: readonly string[],
): Promise<ParcelRecord[]> =>
  db
    .selectFrom('api_parcel')
    .select(PARCEL_COLUMNS)
    .where('user_id', '=', userId)
    .where('key', '=', sql<string>`any(${keys}::uuid[])`)
    .execute()

const UNUSED_DAYS = 90

/** At most `limit` of each. Returns the larger number of rows deleted. */
export async function deleteUnused(tx: Tx, limit: number): Promise<number> {
  const deleteFrom = async (table: 'api_address' | 'api_parcel'): Promise<number> => {
    const { rows } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where used_at < clock_timestamp() - ${UNUSED_DAYS} * interval '1 day'
          limit ${limit} for update skip locked)
      returning 1`.execute(tx)
    return rows.length
  }
  return Math.max(await deleteFrom('api_address'), await deleteFrom('api_parcel'))
}

/** Of one user: the oldest go when there are more. */
const MAX_ADDRESSES = 20_000
const MAX_PARCELS = 10_000

export async function deleteBeyondLimits(tx: Tx, userId: number): Promise<void> {
  for (const [table, most] of [
    ['api_address', MAX_ADDRESSES],
    ['api_parcel', MAX_PARCELS],
  ] as const)
    await sql`
      delete from ${sql.table(table)} where user_id = ${userId} and id <= (
        select id from ${sql.table(table)} where user_id = ${userId} order by id desc offset ${most} limit 1)`.execute(
      tx,
    )
}

/** With the user. */
export async function deleteAllOf(tx: Tx, userId: number): Promise<void> {
  for (const table of ['api_shipment', 'api_batch', 'api_refund', 'api_address', 'api_parcel'])
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(tx)
}
