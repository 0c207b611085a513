import { sql } from 'kysely'
import type { BatchFileKind } from '#contract/downloads.ts'
import { cents } from '#contract/money.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { noteOf } from '#server/adjustments/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { CarrierCallRow, CorrectionRow, LossRow } from './order-timeline.ts'

/** In the order of their answers; one that is open is the last. */
export async function selectCarrierCalls(db: Db, orderId: number): Promise<CarrierCallRow[]> {
  const { rows } = await sql<CarrierCallRow>`
    select act, round, started_at as "startedAt", finished_at as "finishedAt", outcome, code, message from (
      select id, act, round, started_at, finished_at, outcome, code, message from carrier_call where order_id = ${orderId}
      union all
      select null, 'buy', round, started_at, null, null, null, null from open_carrier_call where order_id = ${orderId}) call
      order by id nulls last`.execute(db)
  return rows
}

/** The rounds of a label that were above the loss ceiling. */
export async function selectLosses(db: Db, orderId: number): Promise<LossRow[]> {
  const rows = await db
    .selectFrom('postage_loss')
    .select(['round', 'price_cents as price', 'cost_cents as cost'])
    .where('order_id', '=', orderId)
    .execute()
  return rows.map(({ round, price, cost }) => ({ round, price: cents(price), cost: cents(cost) }))
}

/** What the carrier corrected of a label, oldest first. */
export async function selectCorrections(db: Db, orderId: number): Promise<CorrectionRow[]> {
  const rows = await db
    .selectFrom('carrier_adjustment')
    .select([
      'created_at as at',
      'amount_cents as amount',
      'passed_cents as passed',
      'reason',
      'declared',
      'measured',
    ])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  return rows.map(({ at, amount, passed, reason, ...evidence }) => ({
    at,
    amount: cents(amount),
    passed: cents(passed ?? 0),
    note: noteOf(reason, evidence),
  }))
}

/** `isOwn`: of the user's own service. */
export type PriceVersionRef = { version: number; isOwn: boolean; rule: PriceRule | null }

export type RelatedFacts = {
  submissions: number
  files: { kind: BatchFileKind; at: Date }[]
  replacedAt: Date | null
  unknownSince: Date | null
  voidRequestedAt: Date | null
  voidRequestedBy: UserRef | null
  isAutomatic: boolean
  /** Of the order's price; null of orders that were placed before it was kept. */
  prices: PriceVersionRef | null
}

export async function selectBatchAndVoidFacts(db: Db, orderId: number): Promise<RelatedFacts> {
  const { rows } = await sql<Omit<RelatedFacts, 'files'> & { batchId: number | null }>`
    select o.batch_id as "batchId", coalesce(b.submission, 0) as submissions, r.accepted_at as "replacedAt",
        case when o.state = 'unknown' then o.unknown_since end as "unknownSince", o.void_requested_at as "voidRequestedAt",
        o.void_is_automatic as "isAutomatic",
        case when p.id is not null then
          json_build_object('version', p.version, 'isOwn', p.user_service_id is not null, 'rule', p.rule) end as prices,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "voidRequestedBy"
      from shipment_order o
      left join batch b on b.id = o.batch_id
      left join batch r on r.id = o.replaced_by
      left join app_user u on u.id = o.void_requested_by
      left join price_version p on p.id = o.price_version_id
      where o.id = ${orderId}`.execute(db)
  const { batchId, ...facts } = rows[0]!
  const files =
    batchId === null
      ? []
      : await db
          .selectFrom('label_file')
          .select(['kind', 'created_at as at'])
          .where('batch_id', '=', batchId)
          .execute()
  return { ...facts, files }
}
