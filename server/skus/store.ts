import { sql } from 'kysely'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** Pounds and inches. */
export type Sku = SkuMeasures & { id: number }

// Stored as exact decimals, read as numbers.
const columns = sql`id, sku, max_qty as "maxQty", weight_lb::float8 as weight, length_in::float8 as length, width_in::float8 as width,
  height_in::float8 as height, description`

/** Sorted by SKU, independent of the server's locale. */
export async function selectSkuIds(db: Db, userId: number): Promise<number[]> {
  // One row: 48,000 rows take six times as long to parse.
  const { rows } = await sql<{
    ids: number[]
  }>`select array(select id from sku where user_id = ${userId} order by sku collate "C") as ids`.execute(
    db,
  )
  return rows[0]!.ids
}

/** Sorted like `selectSkuIds`, without records that do not exist. */
export async function selectSkus(db: Db, ids: number[]): Promise<Sku[]> {
  const { rows } =
    await sql<Sku>`select ${columns} from sku where id = any(${ids}::bigint[]) order by sku collate "C"`.execute(
      db,
    )
  return rows
}

/** Descriptions by the SKU, without empty ones. */
export async function selectDescriptions(
  db: Db,
  userId: number,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('sku')
    .select(['sku', 'description'])
    .where('user_id', '=', userId)
    // One parameter, however many names: one prepared statement serves all.
    .where(sql<boolean>`sku = any(${[...names]}::text[])`)
    .where('description', '<>', '')
    .execute()
  return new Map(rows.map(({ sku, description }) => [sku, description]))
}

export async function countSkus(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from sku where user_id = ${userId}`.execute(db)
  return rows[0]!.n
}

/** Inserts or replaces records in one statement. Each SKU at most once in `records`. */
export async function upsertSkus(tx: Tx, userId: number, records: SkuMeasures[]): Promise<void> {
  const column = <K extends keyof SkuMeasures>(name: K) => records.map(record => record[name])
  // Sorted, so that two uploads of the same SKUs cannot deadlock.
  await sql`
    insert into sku (user_id, sku, max_qty, weight_lb, length_in, width_in, height_in, description)
      select ${userId}::bigint, *
        from unnest(${column('sku')}::text[], ${column('maxQty')}::int[], ${column('weight')}::numeric[], ${column('length')}::numeric[],
                    ${column('width')}::numeric[], ${column('height')}::numeric[], ${column('description')}::text[]) as given (sku)
        order by given.sku collate "C"
      on conflict (user_id, sku) do update
        set max_qty = excluded.max_qty, weight_lb = excluded.weight_lb, length_in = excluded.length_in, width_in = excluded.width_in,
            height_in = excluded.height_in, description = excluded.description`.execute(tx)
}

/** Undefined if the user has no such record. */
export async function updateSku(
  tx: Tx,
  userId: number,
  id: number,
  record: SkuMeasures,
): Promise<Sku | undefined> {
  const { rows } = await sql<Sku>`
    update sku set sku = ${record.sku}, max_qty = ${record.maxQty}, weight_lb = ${record.weight}, length_in = ${record.length},
        width_in = ${record.width}, height_in = ${record.height}, description = ${record.description}
      where user_id = ${userId} and id = ${id} returning ${columns}`.execute(tx)
  return rows[0]
}

/** False if there is no such record; `ownerId` null matches any owner. */
export async function deleteSku(tx: Tx, ownerId: number | null, id: number): Promise<boolean> {
  const { rows } =
    await sql`delete from sku where id = ${id} and user_id = coalesce(${ownerId}::bigint, user_id) returning id`.execute(
      tx,
    )
  return rows.length > 0
}

export async function deleteSkusOf(tx: Tx, userId: number): Promise<void> {
  await sql`delete from sku where user_id = ${userId}`.execute(tx)
}

/** Null when there is no such record. */
export const selectSkuOwner = async (db: Db, id: number): Promise<number | null> =>
  (await db.selectFrom('sku').select('user_id').where('id', '=', id).executeTakeFirst())?.user_id
  ?? null
