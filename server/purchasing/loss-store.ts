import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Loss } from './rules.ts'

export type LabelLoss = Loss & { orderId: number; round: number }

/** The labels are locked by the caller. */
export async function insertLosses(tx: Tx, account: string, losses: LabelLoss[]): Promise<void> {
  await sql`
    insert into postage_loss (order_id, round, account, outcome, price_cents, cost_cents)
      select l.order_id, l.round, ${account}, l.outcome, l.price, l.cost
        from unnest(${losses.map(l => l.orderId)}::bigint[], ${losses.map(l => l.round)}::int[],
          ${losses.map(l => l.outcome)}::text[], ${losses.map(l => l.price)}::bigint[], ${losses.map(l => l.cost)}::bigint[])
          as l (order_id, round, outcome, price, cost)
      on conflict (order_id, round) do update
        set outcome = excluded.outcome, price_cents = excluded.price_cents, cost_cents = excluded.cost_cents`.execute(
    tx,
  )
}

/** What the account's bought labels lost in the last 24 hours, not before `since`. */
export async function sumDayLosses(tx: Tx, account: string, since: Date | null): Promise<Cents> {
  const { rows } = await sql<{ lost: number }>`
    select coalesce(sum(cost_cents - price_cents), 0)::bigint as lost from postage_loss
      where account = ${account} and outcome = 'bought' and recorded_at > clock_timestamp() - interval '24 hours'
        and recorded_at > coalesce(${since}::timestamptz, '-infinity')`.execute(tx)
  return cents(rows[0]!.lost)
}
