import { sql } from 'kysely'
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
  /** Returns the stored note: an earlier one wins. */
  write(attempt: Attempt, upstreamRef: string): Promise<string>
  delete(attempt: Attempt): Promise<void>
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
  return {
    find,
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
