import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { OptionCents } from './tables.ts'

export type OptionPriceRecord = { id: number; uid: string; name: string; cents: OptionCents }

const NOT_OFFERED: OptionCents = { signature: null, adult: null, saturday: null }

/** Of all default services, in their order; null where nothing was set. */
export async function selectOptionPrices(db: Db): Promise<OptionPriceRecord[]> {
  const { rows } = await sql<Omit<OptionPriceRecord, 'cents'> & { cents: OptionCents | null }>`
    select d.id, d.uid, d.name, p.cents
      from default_service d
      left join lateral (
        select cents from option_price_version where default_id = d.id order by version desc limit 1) p on true
      order by d.position, d.id`.execute(db)
  return rows.map(row => ({ ...row, cents: row.cents ?? NOT_OFFERED }))
}

/** Appends a version; returns its number. */
export async function insertOptionPrices(
  tx: Tx,
  defaultId: number,
  prices: OptionCents,
  setBy: number,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into option_price_version (default_id, version, cents, set_by)
      select ${defaultId}::bigint, coalesce(max(version), 0) + 1, ${JSON.stringify(prices)}::jsonb, ${setBy}::bigint
        from option_price_version where default_id = ${defaultId}::bigint
      returning version`.execute(tx)
  return rows[0]!.version
}
