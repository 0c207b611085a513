import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { notedByAccounts } from './account-store.ts'
import type { CarrierAccountNames } from './account-store.ts'
import type { Attempt } from './port.ts'

/**
 * Stores what the carrier calls an attempt. A note is committed before `write` returns and never
 * changes.
 */
export type AttemptNotes = {
  find(attempt: Attempt): Promise<string | null>
  /** By `attemptKey`, of those that have one. */
  findMany(attempts: readonly Attempt[]): Promise<Map<string, string>>
  /** Returns the stored note: an earlier one wins. */
  write(attempt: Attempt, upstreamRef: string): Promise<string>
  delete(attempt: Attempt): Promise<void>
  /** Whether a call to buy was made whose outcome is open. */
  isBuyRequested(attempt: Attempt): Promise<boolean>
  /** Committed before it returns. Throws if the attempt has no note. */
  recordBuyRequest(attempt: Attempt): Promise<void>
  /** The call certainly bought nothing. */
  clearBuyRequest(attempt: Attempt): Promise<void>
}

/** Notes of one account; they mean nothing to another account of the same carrier. */
export function createAttemptNotes(
  { db, tx }: Database,
  accounts: CarrierAccountNames = [''],
): AttemptNotes {
  const find = async ({ reference, round }: Attempt): Promise<string | null> => {
    const { rows } = await sql<{ ref: string }>`
      select upstream_ref as ref from carrier_note n
        where reference = ${reference} and round = ${round} and ${notedByAccounts(accounts)} order by account limit 1`.execute(
      db,
    )
    return rows[0]?.ref ?? null
  }
  const setBuyRequest = async (
    { reference, round }: Attempt,
    moment: RawBuilder<Date | null>,
  ): Promise<bigint> => {
    const { numAffectedRows } = await tx(trx =>
      sql`update carrier_note n set buy_requested_at = ${moment}
        where reference = ${reference} and round = ${round} and ${notedByAccounts(accounts)}`.execute(
        trx,
      ),
    )
    return numAffectedRows ?? 0n
  }
  return {
    find,
    findMany: async attempts => {
      const { rows } = await sql<{ key: string; ref: string }>`
        select distinct on (a.reference, a.round) a.reference || ':' || a.round as key, n.upstream_ref as ref
          from unnest(${attempts.map(one => one.reference)}::text[], ${attempts.map(one => one.round)}::int[]) as a (reference, round)
          join carrier_note n on n.reference = a.reference and n.round = a.round
          where ${notedByAccounts(accounts)}
          order by a.reference, a.round, n.account`.execute(db)
      return new Map(rows.map(({ key, ref }) => [key, ref]))
    },
    isBuyRequested: async ({ reference, round }) => {
      const { rows } = await sql`select 1 from carrier_note n where reference = ${reference}
        and round = ${round} and buy_requested_at is not null and ${notedByAccounts(accounts)}`.execute(
        db,
      )
      return rows.length > 0
    },
    recordBuyRequest: async attempt => {
      if ((await setBuyRequest(attempt, sql`clock_timestamp()`)) === 0n)
        throw new Error(`Attempt ${attempt.reference}:${attempt.round} has no note.`)
    },
    clearBuyRequest: async attempt => {
      await setBuyRequest(attempt, sql`null`)
    },
    write: async (attempt, upstreamRef) => {
      // A note under an earlier name of the account also counts.
      await tx(trx =>
        sql`insert into carrier_note (reference, round, account, upstream_ref)
        select ${attempt.reference}, ${attempt.round}::int, ${accounts[0]}, ${upstreamRef} where not exists (
          select 1 from carrier_note n where reference = ${attempt.reference} and round = ${attempt.round} and ${notedByAccounts(accounts)})
        on conflict do nothing`.execute(trx),
      )
      return (await find(attempt))!
    },
    delete: async ({ reference, round }) => {
      await tx(trx =>
        sql`delete from carrier_note n
        where reference = ${reference} and round = ${round} and ${notedByAccounts(accounts)}`.execute(
          trx,
        ),
      )
    },
  }
}
