import { sql } from 'kysely'
import type { Database } from '#server/platform/database.ts'
import type { Attempt } from './port.ts'

/** Where adapters write down what the carrier calls an attempt. A note is on disk before `write` answers, and never changes. */
export type Notes = {
  find(attempt: Attempt): Promise<string | null>
  /** Returns what is noted now: an earlier note stays. */
  write(attempt: Attempt, upstreamRef: string): Promise<string>
}

export function notesIn({ db, tx }: Database): Notes {
  const find = async ({ reference, round }: Attempt): Promise<string | null> => {
    const row = await db.selectFrom('carrier_note').select('upstream_ref')
      .where('reference', '=', reference).where('round', '=', round).executeTakeFirst()
    return row?.upstream_ref ?? null
  }
  return {
    find,
    write: async (attempt, upstreamRef) => {
      await tx(trx => sql`insert into carrier_note (reference, round, upstream_ref)
        values (${attempt.reference}, ${attempt.round}, ${upstreamRef}) on conflict do nothing`.execute(trx))
      return (await find(attempt))!
    },
  }
}
