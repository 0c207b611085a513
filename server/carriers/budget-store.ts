import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { RateLimit } from './port.ts'
import { refillPerMinute } from './rules.ts'

/**
 * Calls an account accepts now. `tokens` is null without a rate limit; no calls for `pauseMs`.
 * `needsAdministrator`: no purchase before an administrator ends the pause.
 */
export type CallBudget = {
  tokens: number | null
  pauseMs: number
  reason: string | null
  needsAdministrator: boolean
}

const UNLIMITED_BUDGET: CallBudget = {
  tokens: null,
  pauseMs: 0,
  reason: null,
  needsAdministrator: false,
}

/** The token bucket refills with time, by the database's clock, up to its burst. */
const refilledTokens = (rateLimit: RateLimit) => sql`least(${rateLimit.burst}::float8,
  tokens + extract(epoch from clock_timestamp() - filled_at)::float8 * ${refillPerMinute(rateLimit)}::float8 / 60)`

/**
 * An account's budget. With a rate limit its row stays locked, so the tokens can be spent in this
 * transaction.
 */
export async function lockBudget(
  tx: Tx,
  account: string,
  rateLimit: RateLimit | null,
): Promise<CallBudget> {
  if (rateLimit) {
    // The clock may have been set back.
    await sql`
      insert into carrier_budget as b (account, tokens) values (${account}, ${rateLimit.burst})
        on conflict (account) do update
          set filled_at = clock_timestamp(), paused_until = b.paused_until - (b.filled_at - clock_timestamp())
          where b.filled_at > clock_timestamp()`.execute(tx)
  }
  const { rows } = await sql<CallBudget>`
    select ${rateLimit ? refilledTokens(rateLimit) : sql`null::float8`} as tokens, pause_reason as reason,
        waits_for_administrator as "needsAdministrator",
        greatest(0, coalesce(extract(epoch from paused_until - clock_timestamp()) * 1000, 0))::float8 as "pauseMs"
      from carrier_budget where account = ${account} ${rateLimit ? sql`for update` : sql``}`.execute(
    tx,
  )
  return rows[0] ?? UNLIMITED_BUDGET
}

/**
 * Records calls about to be made; the row is locked by the caller. `probeMs`: how long other workers
 * wait for the result while the account has a problem.
 */
export async function spendTokens(
  tx: Tx,
  account: string,
  rateLimit: RateLimit,
  calls: number,
  probeMs: number,
): Promise<void> {
  await sql`update carrier_budget set tokens = ${refilledTokens(rateLimit)} - ${calls}::float8, filled_at = clock_timestamp(),
      paused_until = case when pause_reason is null then paused_until
        else greatest(paused_until, clock_timestamp() + ${probeMs} * interval '1 millisecond') end
    where account = ${account}`.execute(tx)
}

/**
 * Pauses all calls for `ms`; a longer pause stays. `reason`: a problem that only the operator can
 * solve.
 */
export async function pause(
  tx: Tx,
  account: string,
  ms: number,
  reason: string | null,
): Promise<void> {
  await sql`
    insert into carrier_budget as b (account, tokens, paused_until, pause_reason, paused_since)
      values (${account}, 0, clock_timestamp() + ${ms} * interval '1 millisecond', ${reason},
        case when ${reason}::text is not null then clock_timestamp() end)
    on conflict (account) do update
      set paused_until = greatest(b.paused_until, excluded.paused_until),
          pause_reason = case when b.waits_for_administrator then b.pause_reason
            else coalesce(excluded.pause_reason, b.pause_reason) end,
          paused_since = coalesce(b.paused_since, excluded.paused_since)`.execute(tx)
}

/** The account has sold a label, so its problem is solved. */
export async function endPause(tx: Tx, account: string): Promise<void> {
  await sql`update carrier_budget set paused_until = null, pause_reason = null, paused_since = null
    where account = ${account} and pause_reason is not null
      and not waits_for_administrator`.execute(tx)
}

/**
 * Locks the account's row, so that losses are summed one transaction after the other. Returns from
 * when on they count; null: all.
 */
export async function lockLosses(tx: Tx, account: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    insert into carrier_budget as b (account, tokens) values (${account}, 0)
      on conflict (account) do update set account = b.account returning losses_since as since`.execute(
    tx,
  )
  return rows[0]!.since
}

/** Pauses purchases until an administrator ends the pause; lookups and voids continue. */
export async function pauseForAdministrator(
  tx: Tx,
  account: string,
  reason: string,
): Promise<void> {
  await sql`
    update carrier_budget set pause_reason = ${reason}, waits_for_administrator = true,
        paused_since = coalesce(paused_since, clock_timestamp())
      where account = ${account} and not waits_for_administrator`.execute(tx)
}

/**
 * By an administrator: lets the next label try an account with a problem before its pause ends. Ends
 * a pause for losses; they are not counted again.
 */
export async function allowTryDuringPause(tx: Tx, account: string): Promise<void> {
  await sql`
    update carrier_budget
      set paused_until = clock_timestamp(), waits_for_administrator = false,
          pause_reason = case when not waits_for_administrator then pause_reason end,
          paused_since = case when not waits_for_administrator then paused_since end,
          losses_since = case when waits_for_administrator then clock_timestamp() else losses_since end
      where account = ${account} and pause_reason is not null`.execute(tx)
}

/** The account's pause; null if there is none. `needsAdministrator`: no probe ends it. */
export async function findPause(
  db: Db,
  account: string,
): Promise<{
  until: Date | null
  reason: string | null
  since: Date | null
  needsAdministrator: boolean
} | null> {
  const row = await db
    .selectFrom('carrier_budget')
    .select(['paused_until', 'pause_reason', 'paused_since', 'waits_for_administrator'])
    .where('account', '=', account)
    .where(sql<boolean>`(pause_reason is not null or paused_until > clock_timestamp())`)
    .executeTakeFirst()
  return row
    ? {
        until: row.paused_until,
        reason: row.pause_reason,
        since: row.paused_since,
        needsAdministrator: row.waits_for_administrator,
      }
    : null
}
