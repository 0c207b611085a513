import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { ServiceSource, SourceRank } from './source-rules.ts'

export async function selectServiceSources(db: Db): Promise<ServiceSource[]> {
  const rows = await db
    .selectFrom('service_source')
    .selectAll()
    .orderBy('service_uid')
    .orderBy('rank')
    .execute()
  return rows.map(row => ({
    serviceUid: row.service_uid,
    rank: row.rank as SourceRank,
    account: row.account_name,
  }))
}

/** Locked until the transaction ends, so that two administrators follow each other. */
export async function lockServiceSources(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('service-sources', 0))`.execute(tx)
}

/** The first account, and the second if there is one. */
export async function replaceServiceSources(
  tx: Tx,
  serviceUid: string,
  accounts: readonly string[],
): Promise<void> {
  await tx.deleteFrom('service_source').where('service_uid', '=', serviceUid).execute()
  await sql`insert into service_source (service_uid, rank, account_name)
    select ${serviceUid}, n, name from unnest(${accounts}::text[]) with ordinality as a (name, n)`.execute(
    tx,
  )
}

/**
 * Those of these accounts (their names at the carrier) that count as down: their problem was met less than its
 * pause ago, or they do not answer. A pause for losses does not count: the operator has to look at prices first.
 */
export async function selectDownAccounts(db: Db, accounts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    select account from carrier_budget where account = any(${accounts}::text[]) and not waits_for_administrator
      and ((pause_reason is not null and paused_until > clock_timestamp()) or silent_until > clock_timestamp())`.execute(
    db,
  )
  return rows.map(({ account }) => account)
}

/** The account did not answer; until `ms` from now its services go to their second source. */
export async function recordSilentAccount(tx: Tx, account: string, ms: number): Promise<void> {
  await sql`
    insert into carrier_budget as b (account, tokens, silent_until)
      values (${account}, 0, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (account) do update set silent_until = greatest(b.silent_until, excluded.silent_until)`.execute(
    tx,
  )
}

/** The account answers again. */
export async function clearSilentAccount(tx: Tx, account: string): Promise<void> {
  await sql`update carrier_budget set silent_until = null where account = ${account} and silent_until is not null`.execute(
    tx,
  )
}
