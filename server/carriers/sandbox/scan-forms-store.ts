import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

export async function isScanFormMade(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sandbox_scan_form where name = ${name}`.execute(db)
  return rows.length > 0
}

/** The first number without a valid label, or on a form; null without any. */
export async function selectUnfitForScanForm(
  tx: Tx,
  numbers: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select n.number from unnest(${numbers}::text[]) as n (number)
      left join sandbox_purchase p on p.tracking_number = n.number and p.voided_at is null
      where p.tracking_number is null
        or n.number in (select unnest(f.tracking_numbers) from sandbox_scan_form f where f.tracking_numbers && ${numbers}::text[])
      limit 1`.execute(tx)
  return rows[0]?.number ?? null
}

export async function insertScanForm(
  tx: Tx,
  name: string,
  numbers: readonly string[],
): Promise<void> {
  await sql`insert into sandbox_scan_form (name, tracking_numbers) values (${name}, ${numbers}::text[])`.execute(
    tx,
  )
}
