import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { attemptKey } from '#server/carriers/port.ts'
import type { Attempt } from '#server/carriers/port.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import { isUniqueViolation } from '#server/platform/database/database.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import type { SandboxCommand } from './commands.ts'

export type SandboxSale = {
  key: string
  reference: string
  round: number
  trackingNumber: string
  serviceUid: string
  cost: Cents
  hash: string
  command: SandboxCommand | null
}

/** `voidedAt` is null while the label is valid. */
export type RecordedSale = SandboxSale & { boughtAt: Date; voidedAt: Date | null }

export async function nextSerials(db: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{
    serial: number
  }>`select nextval('sandbox_serial') as serial from generate_series(1, (select ${count}::bigint))`.execute(
    db,
  )
  return rows.map(row => row.serial)
}

/**
 * An attempt that was sold before keeps its label and is not returned. Repeated where another process has sold one meanwhile: with
 * `on conflict` the database logs each new row twice.
 */
export async function insertSales(
  db: Db,
  sales: SandboxSale[],
): Promise<Map<string, RecordedSale>> {
  try {
    return await insertNewSales(db, sales)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return insertNewSales(db, sales)
  }
}

async function insertNewSales(db: Db, sales: SandboxSale[]): Promise<Map<string, RecordedSale>> {
  const column = <T>(pick: (sale: SandboxSale) => T) => sales.map(pick)
  const { rows } = await sql<{ key: string; bought_at: Date }>`
    insert into sandbox_purchase (attempt_key, reference, round, tracking_number, service_uid, cost_cents, request_hash,
      command)
    select s.* from unnest(${arrayOf(
      'text',
      column(s => s.key),
    )}, ${arrayOf(
      'text',
      column(s => s.reference),
    )},
      ${arrayOf(
        'int',
        column(s => s.round),
      )}, ${arrayOf(
        'text',
        column(s => s.trackingNumber),
      )},
      ${arrayOf(
        'text',
        column(s => s.serviceUid),
      )}, ${arrayOf(
        'bigint',
        column(s => s.cost),
      )},
      ${arrayOf(
        'text',
        column(s => s.hash),
      )}, ${arrayOf(
        'text',
        column(s => s.command),
      )}) as s (attempt_key)
      where not exists (select from sandbox_purchase p where p.attempt_key = s.attempt_key)
    returning attempt_key as key, bought_at`.execute(db)
  const boughtAt = new Map(rows.map(row => [row.key, row.bought_at]))
  return new Map(
    sales.flatMap(sale => {
      const at = boughtAt.get(sale.key)
      return at ? [[sale.key, { ...sale, boughtAt: at, voidedAt: null }]] : []
    }),
  )
}

export async function selectSalesByKey(
  db: Db,
  attemptKeys: string[],
): Promise<Map<string, RecordedSale>> {
  const rows = await db
    .selectFrom('sandbox_purchase')
    .selectAll()
    .where('attempt_key', 'in', attemptKeys)
    .execute()
  return new Map(rows.map(row => [row.attempt_key, toRecordedSale(row)]))
}

/** A sale of a sandbox that forgets keys: its own is that of the attempt, '~' and a UUID (adapter.ts). The condition of an index. */
const HAS_OWN_KEY = sql<boolean>`strpos(attempt_key, '~') > 0`

/** Labels sold for an attempt, oldest first; several from a carrier without keys. */
export async function selectSalesOfAttempt(db: Db, attempt: Attempt): Promise<RecordedSale[]> {
  const rows = await db
    .selectFrom('sandbox_purchase')
    .selectAll()
    .where(eb =>
      eb.or([
        eb('attempt_key', '=', attemptKey(attempt)),
        eb.and([
          eb('reference', '=', attempt.reference),
          eb('round', '=', attempt.round),
          HAS_OWN_KEY,
        ]),
      ]),
    )
    .orderBy('bought_at')
    .execute()
  return rows.map(toRecordedSale)
}

const toRecordedSale = (row: Selectable<Tables['sandbox_purchase']>): RecordedSale => ({
  key: row.attempt_key,
  reference: row.reference,
  round: row.round,
  trackingNumber: row.tracking_number,
  serviceUid: row.service_uid,
  cost: cents(row.cost_cents),
  hash: row.request_hash,
  command: row.command as SandboxCommand | null,
  boughtAt: row.bought_at,
  voidedAt: row.voided_at,
})

/** Keeps the time of the first void. Returns whether this was the first. */
export async function recordVoid(tx: Tx, attemptKey: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sandbox_purchase')
    .set({ voided_at: sql`clock_timestamp()` })
    .where('attempt_key', '=', attemptKey)
    .where('voided_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Total cost of all labels that are not voided. */
export async function selectTurnover(db: Db): Promise<Cents> {
  const row = await db
    .selectFrom('sandbox_purchase')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('cost_cents'), eb.lit(0)).as('cost'))
    .where('voided_at', 'is', null)
    .executeTakeFirstOrThrow()
  return cents(Number(row.cost))
}

/** How often this attempt was told to come back later, including now. */
export async function countCall(tx: Tx, attemptKey: string): Promise<number> {
  const { rows } = await sql<{ refusals: number }>`
    insert into sandbox_call_count (attempt_key, refusals) values (${attemptKey}, 1)
    on conflict (attempt_key) do update set refusals = sandbox_call_count.refusals + 1 returning refusals`.execute(
    tx,
  )
  return rows[0]!.refusals
}

/** Oldest first; for one reference, or the newest 10,000. */
export async function selectSandboxPurchases(db: Db, reference?: string): Promise<RecordedSale[]> {
  let query = db
    .selectFrom('sandbox_purchase')
    .selectAll()
    .orderBy('bought_at', 'desc')
    .limit(10_000)
  if (reference !== undefined) query = query.where('reference', '=', reference)
  const rows = await query.execute()
  return rows.reverse().map(toRecordedSale)
}
