import { sql } from 'kysely'
import { ADJUSTMENT_SUM_DAYS } from '#contract/adjustments.ts'
import type { AdjustmentFilter, AdjustmentRuleKind, Measures } from '#contract/adjustments.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { CHARGE_SUBJECTS } from '#server/ledger/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { findMovedRow } from '#server/platform/database/moved-rows.ts'
import type { AdjustmentLine } from './read-file.ts'
import type { LabelFacts, LabelHistory, Rule } from './rules.ts'

/** The label of a tracking number. */
export type MatchedLabel = {
  orderId: number
  user: UserRef
  trackingNumber: string
  account: string | null
  /** The void is open: the carrier has not decided, or the refund is not paid yet. */
  isVoiding: boolean
} & LabelFacts

const LABEL = sql`
  select o.id as "orderId", json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user,
      o.tracking_number as "trackingNumber", o.carrier_account as account, o.state = 'voiding' as "isVoiding",
      o.state in ('voiding', 'voided') as "wasVoided", o.state = 'purchased' and o.void_confirmed_at is not null as "isRefundKept",
      o.price_cents as price, u.deleted_at is not null as "isDeleted"
    from shipment_order o join app_user u on u.id = o.user_id`

export async function selectLabels(
  db: Db,
  trackingNumbers: readonly string[],
): Promise<Map<string, MatchedLabel>> {
  const { rows } = await sql<MatchedLabel>`
    ${LABEL} where o.tracking_number is not null
      and reverse(o.tracking_number) = any(array(select reverse(t) from unnest(${trackingNumbers}::text[]) t)) order by o.id`.execute(
    db,
  )
  return new Map(rows.map(row => [row.trackingNumber, row]))
}

/** Locks the label: corrections of one label are applied one after the other. Waits for a deletion of its user. */
export const lockLabel = (tx: Tx, orderId: number): Promise<MatchedLabel | undefined> =>
  findMovedRow(async () => {
    const { rows } = await sql<MatchedLabel>`
      ${LABEL} where o.id = ${orderId}::bigint and o.tracking_number is not null for no key update of o for key share of u`.execute(
      tx,
    )
    return rows[0]
  })

/** By order id. Waits for a deletion of their users, and prevents one until the transaction ends. */
export async function lockUsersOfLabels(
  tx: Tx,
  orderIds: readonly number[],
): Promise<Map<number, MatchedLabel>> {
  const { rows } = await sql<MatchedLabel>`
    ${LABEL} where o.id = any(${orderIds}::bigint[]) and o.tracking_number is not null order by o.id for key share of u`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.orderId, row]))
}

/** `amount`: in the file; `booked`: what was booked for it. */
export type BookedLine = Pick<
  AdjustmentLine,
  'amount' | 'isTotal' | 'reportedOn' | 'reason' | 'declared' | 'measured'
> & {
  id: number
  orderId: number
  userId: number
  wasVoided: boolean
  booked: { amount: Cents; passed: Cents }
  creditedBack: Cents
  isCreditedBack: boolean
}

/**
 * Locks and returns all corrections of the labels that have one settled as for a voided label. Sorted
 * by label, and those corrections come last.
 */
export async function lockLinesOfVoids(tx: Tx, orderIds: readonly number[]): Promise<BookedLine[]> {
  const { rows } = await sql<BookedLine>`
    select id, order_id as "orderId", user_id as "userId", line_cents as amount, is_total as "isTotal", reported_on::text as "reportedOn",
        reason, declared, measured, was_voided as "wasVoided", json_build_object('amount', amount_cents, 'passed', passed_cents) as booked,
        credited_back_cents as "creditedBack", credited_back_at is not null as "isCreditedBack"
      from carrier_adjustment
      where order_id in (select order_id from carrier_adjustment where order_id = any(${orderIds}::bigint[]) and was_voided)
      order by order_id, was_voided, id for update`.execute(tx)
  return rows
}

/**
 * Of all corrections of these labels, by order id; labels without any are left out. What a void took
 * into account of their credits is passed no more.
 */
export async function selectLabelTotals(
  db: Db,
  orderIds: readonly number[],
): Promise<Map<number, LabelHistory>> {
  const { rows } = await sql<{
    orderId: number
    carrier: number
    passed: number
    reportedOn: string | null
  }>`
    select order_id as "orderId", sum(amount_cents)::bigint as carrier, (sum(passed_cents - credited_back_cents) + coalesce((
          select c.cents - c.waived_cents - c.returned_cents from owed_charge c
            where c.subject = ${sql.lit(CHARGE_SUBJECTS.voidCredit)} || order_id), 0))::bigint as passed,
        max(reported_on)::text as "reportedOn"
      from carrier_adjustment where order_id = any(${orderIds}::bigint[]) group by 1`.execute(db)
  return new Map(
    rows.map(({ orderId, carrier, passed, reportedOn }) => [
      orderId,
      { carrier: cents(carrier), passed: cents(passed), reportedOn },
    ]),
  )
}

export type KnownLine = { trackingNumber: string; amount: Cents }

/** Lines read before, by key, as their files had them. */
export async function selectKnownLines(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, KnownLine>> {
  const { rows } = await sql<{ key: string; trackingNumber: string; amount: number }>`
    select line_key as key, tracking_number as "trackingNumber", line_cents as amount
      from carrier_adjustment where line_key = any(${keys}::text[])`.execute(db)
  return new Map(
    rows.map(({ key, trackingNumber, amount }) => [key, { trackingNumber, amount: cents(amount) }]),
  )
}

/** Without a label. Undefined if the line was read before. */
export async function insertLine(
  tx: Tx,
  line: AdjustmentLine,
  by: { fileName: string; actorId: number },
): Promise<number | undefined> {
  const added = await tx
    .insertInto('carrier_adjustment')
    .values({
      line_key: line.key,
      file_name: by.fileName,
      carrier: line.carrier,
      tracking_number: line.trackingNumber,
      amount_cents: line.amount,
      line_cents: line.amount,
      is_total: line.isTotal,
      reported_on: line.reportedOn,
      adjusted_on: line.day,
      reason: line.reason,
      declared: JSON.stringify(line.declared),
      measured: JSON.stringify(line.measured),
      applied_by: by.actorId,
    })
    .onConflict(conflict => conflict.column('line_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

export type Assessment = { amount: Cents; passed: Cents; rule: Rule }

/** Assigns a line to its label, with what follows from the rule. */
export async function setLabel(
  tx: Tx,
  id: number,
  label: MatchedLabel,
  { amount, passed, rule }: Assessment,
): Promise<void> {
  await tx
    .updateTable('carrier_adjustment')
    .set({
      order_id: label.orderId,
      user_id: label.user.id,
      carrier_account: label.account,
      was_voided: label.wasVoided,
      amount_cents: amount,
      passed_cents: passed,
      rule: rule.kind,
      limit_cents: rule.limit,
    })
    .where('id', '=', id)
    .execute()
}

export type AdjustmentRecord = {
  id: number
  orderId: number | null
  user: UserRef | null
  carrier: string
  account: string | null
  fileName: string
  trackingNumber: string
  amount: Cents
  isTotal: boolean
  reportedOn: string | null
  day: string | null
  reason: string
  declared: Measures
  measured: Measures
  passed: Cents
  rule: AdjustmentRuleKind | null
  limit: Cents | null
  wasVoided: boolean
  dispute: string | null
  disputedAt: Date | null
  answer: string | null
  answeredAt: Date | null
  creditedBackAt: Date | null
  creditedBack: Cents
  createdAt: Date
}

const RECORD = sql`
  select a.id, a.order_id as "orderId",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as user,
      a.carrier, a.carrier_account as account, a.file_name as "fileName", a.tracking_number as "trackingNumber", a.amount_cents as amount,
      a.is_total as "isTotal", a.reported_on::text as "reportedOn",
      a.adjusted_on::text as day, a.reason, a.declared, a.measured, coalesce(a.passed_cents, 0) as passed, a.rule,
      a.limit_cents as limit, a.was_voided as "wasVoided", a.dispute, a.disputed_at as "disputedAt", a.dispute_answer as answer,
      a.answered_at as "answeredAt", a.credited_back_at as "creditedBackAt", a.credited_back_cents as "creditedBack",
      a.created_at as "createdAt"
    from carrier_adjustment a left join app_user u on u.id = a.user_id`

export async function findAdjustment(db: Db, id: number): Promise<AdjustmentRecord | undefined> {
  const { rows } = await sql<AdjustmentRecord>`${RECORD} where a.id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** Locked until the transaction ends. */
export async function lockAdjustment(tx: Tx, id: number): Promise<AdjustmentRecord | undefined> {
  const { rows } =
    await sql<AdjustmentRecord>`${RECORD} where a.id = ${id}::bigint for update of a`.execute(tx)
  return rows[0]
}

type Page = { page: number; limit: number }

/** What a customer paid or was credited, newest first; `orderId`: of one label. */
export async function selectOfUser(
  db: Db,
  userId: number,
  orderId: number | null,
  { page, limit }: Page,
): Promise<{ rows: AdjustmentRecord[]; total: number }> {
  const isShown = sql`a.user_id = ${userId}::bigint and a.passed_cents <> 0
    and (${orderId}::bigint is null or a.order_id = ${orderId}::bigint)`
  const { rows } = await sql<AdjustmentRecord>`
    ${RECORD} where ${isShown} order by a.id desc limit ${limit} offset ${(page - 1) * limit}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`
    select count(*) as total from carrier_adjustment a where ${isShown}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

const IS_DISPUTED = sql`(a.dispute is not null and a.answered_at is null and a.credited_back_at is null)`
const { adjustment: PREFIX } = CHARGE_SUBJECTS
// Starts from the few charges that wait, not from all corrections.
const IS_WAITING = sql`a.id in (
  select case when starts_with(c.subject, ${sql.lit(PREFIX)}) then substr(c.subject, ${sql.lit(PREFIX.length + 1)})::bigint end
  from owed_charge c where c.collected_cents + c.waived_cents < c.cents)`
const SHOWN = {
  all: sql`true`,
  disputed: IS_DISPUTED,
  unmatched: sql`a.order_id is null`,
  waiting: IS_WAITING,
} as const satisfies Record<AdjustmentFilter, unknown>

/** What the customers pay of it now. */
const PASSED = sql`(coalesce(a.passed_cents, 0) - a.credited_back_cents)`

/**
 * `total`: of those that are shown. `disputedAmount`: what customers were charged in open disputes. Of the last 30 days:
 * `passedOn` to customers, and `paid` by the operator; below zero: credits.
 */
export type AdjustmentSums = {
  total: number
  disputed: number
  disputedAmount: Cents
  unmatched: number
  passedOn: Cents
  paid: Cents
}

export async function selectAdjustments(
  db: Db,
  show: AdjustmentFilter,
  { page, limit }: Page,
): Promise<{ rows: AdjustmentRecord[] } & AdjustmentSums> {
  const { rows } = await sql<AdjustmentRecord>`
    ${RECORD} where ${SHOWN[show]} order by a.id desc limit ${limit} offset ${(page - 1) * limit}`.execute(
    db,
  )
  const counted = await sql<AdjustmentSums>`
    select (select count(*) from carrier_adjustment a where ${SHOWN[show]}) as total,
      (select count(*) from carrier_adjustment a where ${IS_DISPUTED}) as disputed,
      (select coalesce(sum(${PASSED}), 0)::bigint from carrier_adjustment a where ${IS_DISPUTED}) as "disputedAmount",
      (select count(*) from carrier_adjustment a where a.order_id is null) as unmatched,
      sum(${PASSED})::bigint as "passedOn", sum(a.amount_cents - ${PASSED})::bigint as paid
    from carrier_adjustment a where a.created_at > clock_timestamp() - ${ADJUSTMENT_SUM_DAYS} * interval '1 day'`.execute(
    db,
  )
  const { disputedAmount, passedOn, paid, ...counts } = counted.rows[0]!
  return {
    rows,
    ...counts,
    disputedAmount: cents(disputedAmount),
    passedOn: cents(passedOn ?? 0),
    paid: cents(paid ?? 0),
  }
}

export async function setDispute(tx: Tx, id: number, note: string): Promise<void> {
  await sql`update carrier_adjustment set dispute = ${note}, disputed_at = now() where id = ${id}::bigint`.execute(
    tx,
  )
}

export async function setAnswer(
  tx: Tx,
  id: number,
  by: { answer: string; actorId: number },
): Promise<void> {
  await sql`update carrier_adjustment set dispute_answer = ${by.answer}, answered_at = now(), decided_by = ${by.actorId}
    where id = ${id}::bigint`.execute(tx)
}

export async function setCreditedBack(
  tx: Tx,
  id: number,
  by: { amount: Cents; actorId: number },
): Promise<void> {
  await sql`update carrier_adjustment set credited_back_at = now(), credited_back_cents = ${by.amount}, decided_by = ${by.actorId}
    where id = ${id}::bigint`.execute(tx)
}

type RuleRow = { user: UserRef | null; kind: AdjustmentRuleKind; limit: Cents | null }

const RULES_LISTED = 1_000

/** The rule of all (`user` null) and those of users. */
export async function selectRules(db: Db): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as user,
        r.rule as kind, r.limit_cents as limit
      from adjustment_rule r left join app_user u on u.id = r.user_id
      where u.deleted_at is null
      order by r.user_id is not null, u.name, u.id limit ${RULES_LISTED}`.execute(db)
  return rows
}

/** By user id; the rule of all for null. */
export async function selectRulesOf(
  db: Db,
  userIds: readonly number[],
): Promise<Map<number | null, Rule>> {
  const { rows } = await sql<Rule & { userId: number | null }>`
    select user_id as "userId", rule as kind, limit_cents as limit from adjustment_rule
      where user_id is null or user_id = any(${userIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ userId, kind, limit }) => [userId, { kind, limit }]))
}

/** Names all rules as they are now. */
export async function selectRulesSeen(db: Db): Promise<string> {
  const { rows } = await sql<{ seen: string }>`
    select md5(coalesce(string_agg(concat_ws(':', coalesce(user_id, 0), rule, limit_cents), ',' order by user_id nulls first), '')) as seen
      from adjustment_rule`.execute(db)
  return rows[0]!.seen
}

/** Before a change of the rules: it waits for other changes, and for transactions that hold the rules. */
export async function lockRules(tx: Tx): Promise<void> {
  await sql`lock table adjustment_rule in share row exclusive mode`.execute(tx)
}

/** Rules change only after this transaction has ended. */
export async function holdRules(tx: Tx): Promise<void> {
  await sql`lock table adjustment_rule in share mode`.execute(tx)
}

export async function upsertRule(
  tx: Tx,
  userId: number | null,
  { kind, limit }: Rule,
  actorId: number,
): Promise<void> {
  await sql`insert into adjustment_rule (user_id, rule, limit_cents, set_by)
    values (${userId}::bigint, ${kind}, ${limit}::bigint, ${actorId}::bigint)
    on conflict (user_id) do update set rule = excluded.rule, limit_cents = excluded.limit_cents, set_by = excluded.set_by,
      updated_at = now()`.execute(tx)
}

export async function deleteRule(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('adjustment_rule').where('user_id', '=', userId).execute()
}
