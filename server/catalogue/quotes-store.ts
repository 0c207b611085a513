/** What the carrier quoted for parcels, and which are being asked for. Times are the database's. */
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/**
 * `isKept`: it counts now. `isAsked`: a process is asking. `isAnswered`: since the moment that was
 * asked about. `cost` in cents; `reason`: why there is none, where the carrier told.
 */
export type QuoteRecord = {
  account: string
  parcel: string
  cost: number | null
  reason: string | null
  askedAt: Date
  isKept: boolean
  isAsked: boolean
  isAnswered: boolean
}

/** For comparisons with the database's other times. */
export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  return rows[0]!.now
}

export async function selectQuotes(
  db: Db,
  accounts: readonly string[],
  parcels: readonly string[],
  since: string,
): Promise<QuoteRecord[]> {
  const { rows } = await sql<QuoteRecord>`
    select account, parcel, cost_cents as cost, reason, asked_at as "askedAt",
           coalesce(expires_at > clock_timestamp(), false) as "isKept",
           coalesce(asking_until > clock_timestamp(), false) as "isAsked",
           coalesce(answered_at >= ${since}::timestamptz, false) as "isAnswered"
      from carrier_quote
      where account = any(${accounts as string[]}::text[]) and parcel = any(${parcels as string[]}::text[])`.execute(
    db,
  )
  return rows
}

/** Makes a user's claims wait for one another until the transaction ends. Returns the questions of the last minute. */
export async function lockAsker(tx: Tx, userId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('evenpost carrier quotes'), ${userId}::int)`.execute(
    tx,
  )
  const { rows } = await sql<{ asked: number }>`
    select count(*) as asked from carrier_quote
      where asked_by = ${userId}::bigint and asked_at > clock_timestamp() - interval '1 minute'`.execute(
    tx,
  )
  return rows[0]!.asked
}

export type QuoteClaim = { parcel: string; attempt: number }

/** At most `most` of the parcels that have no quote and that no process asks for, for `leaseMs`. */
export async function claimQuotes(
  tx: Tx,
  account: string,
  parcels: readonly string[],
  { userId, most, leaseMs }: { userId: number; most: number; leaseMs: number },
): Promise<QuoteClaim[]> {
  const lease = sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`
  const { rows } = await sql<QuoteClaim>`
    insert into carrier_quote as q (account, parcel, asked_by, asked_at, asking_until)
      select ${account}, w.parcel, ${userId}::bigint, clock_timestamp(), ${lease}
        from unnest(${parcels as string[]}::text[]) as w (parcel)
        left join carrier_quote k on k.account = ${account} and k.parcel = w.parcel
        where k.parcel is null or (coalesce(k.expires_at, '-infinity') <= clock_timestamp()
          and coalesce(k.asking_until, '-infinity') <= clock_timestamp())
        order by w.parcel limit ${most}
      on conflict (account, parcel) do update
        set attempt = q.attempt + 1, asked_by = excluded.asked_by, asked_at = excluded.asked_at, asking_until = excluded.asking_until
        where coalesce(q.expires_at, '-infinity') <= clock_timestamp() and coalesce(q.asking_until, '-infinity') <= clock_timestamp()
      returning parcel, attempt`.execute(tx)
  return rows
}

/** `keptMs`: how long it counts; 0 for a call that failed. */
export type QuoteAnswer = { cost: number | null; reason: string | null; keptMs: number }

/** Does nothing when another process has claimed the parcel since. */
export async function setQuoteAnswer(
  tx: Tx,
  account: string,
  { parcel, attempt }: QuoteClaim,
  { cost, reason, keptMs }: QuoteAnswer,
): Promise<void> {
  await sql`
    update carrier_quote
      set cost_cents = ${cost}::bigint, reason = ${reason}, answered_at = clock_timestamp(), asking_until = null,
          expires_at = asked_at + ${keptMs}::float8 * interval '1 millisecond'
      where account = ${account} and parcel = ${parcel} and attempt = ${attempt}`.execute(tx)
}

/** Returns how many are gone. */
export async function deleteOldQuotes(tx: Tx, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with old as (
      select account, parcel from carrier_quote where asked_at < clock_timestamp() - ${days}::int * interval '1 day'
        order by asked_at limit ${limit} for update skip locked),
    deleted as (
      delete from carrier_quote q using old where q.account = old.account and q.parcel = old.parcel returning 1)
    select count(*) as gone from deleted`.execute(tx)
  return rows[0]!.gone
}
