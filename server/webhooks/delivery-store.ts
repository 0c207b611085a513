import { sql } from 'kysely'
import type { DeliveryState, TryOutcome, WebhookType } from '#contract/webhooks.ts'
import { boundedBody } from '#server/platform/database/bounded-bodies.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { NextStep, TryResult } from './rules.ts'

export type DeliveryRecord = {
  id: number
  messageId: string
  type: WebhookType
  body: string
  createdAt: Date
  state: DeliveryState | 'once'
  nextTryAt: Date | null
}

export type TryRecord = {
  deliveryId: number
  isReplay: boolean
  at: Date
  durationMs: number
  outcome: TryOutcome
  status: number | null
  answer: string | null
}

const COLUMNS = [
  'id',
  'message_id as messageId',
  'type',
  'body',
  'created_at as createdAt',
  'state',
  'next_try_at as nextTryAt',
] as const

export type NewDelivery = {
  endpointId: number
  messageId: string
  type: WebhookType
  body: string
  createdAt: Date
}

/** Due at once. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  const column = <T>(pick: (delivery: NewDelivery) => T): T[] => deliveries.map(pick)
  await sql`
    insert into webhook_delivery (endpoint_id, message_id, type, body, created_at, state, next_try_at)
      select d.*, 'waiting', d.created_at
        from unnest(${column(d => d.endpointId)}::bigint[], ${column(d => d.messageId)}::uuid[], ${column(d => d.type)}::text[],
          ${column(d => d.body)}::text[], ${column(d => d.createdAt)}::timestamptz[])
          as d (endpoint_id, message_id, type, body, created_at)`.execute(tx)
}

/** For one try by a call. */
export async function insertOnce(tx: Tx, delivery: NewDelivery): Promise<number> {
  const { id } = await tx
    .insertInto('webhook_delivery')
    .values({
      endpoint_id: delivery.endpointId,
      message_id: delivery.messageId,
      type: delivery.type,
      body: delivery.body,
      created_at: delivery.createdAt,
      state: 'once',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `tries`: of the schedule, before the next one. */
export type DueDelivery = { id: number; messageId: string; body: string; tries: number }

/** The one that is due longest first. */
export async function selectDue(db: Db, endpointId: number, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select id, message_id as "messageId", body, tries from webhook_delivery
      where endpoint_id = ${endpointId} and state = 'waiting' and next_try_at <= clock_timestamp()
      order by next_try_at, id limit ${limit}`.execute(db)
  return rows
}

export type MadeTry = { deliveryId: number; result: TryResult; next: NextStep }

/** Tries of the schedule. A delivery that was canceled meanwhile stays so unless it has arrived. */
export async function recordTries(tx: Tx, made: readonly MadeTry[]): Promise<void> {
  const column = <T>(pick: (one: MadeTry) => T): T[] => made.map(pick)
  await sql`
    with t as (
      select * from unnest(${column(m => m.deliveryId)}::bigint[], ${column(m => m.result.at)}::float8[],
        ${column(m => m.result.durationMs)}::int[], ${column(m => m.result.outcome)}::text[], ${column(m => m.result.status)}::int[],
        ${column(m => m.result.answer)}::text[], ${column(m => m.next.state)}::text[],
        ${column(m => ('waitMs' in m.next ? m.next.waitMs : null))}::float8[])
        as t (delivery_id, at, duration_ms, outcome, status, answer, state, wait_ms)
    ), changed as (
      update webhook_delivery d
        set tries = d.tries + 1, state = case when d.state = 'waiting' or t.state = 'delivered' then t.state else d.state end,
            next_try_at = case when d.state = 'waiting' then clock_timestamp() + t.wait_ms * interval '1 millisecond' end
        from t where d.id = t.delivery_id
        returning d.id
    )
    insert into webhook_try (delivery_id, is_replay, at, duration_ms, outcome, status, answer)
      select t.delivery_id, false, to_timestamp(t.at / 1000), t.duration_ms, t.outcome, t.status, t.answer
        from t join changed on changed.id = t.delivery_id`.execute(tx)
}

/**
 * A try by a call. A message that has arrived is not tried again; otherwise the schedule goes on as
 * before.
 */
export async function recordSingleTry(
  tx: Tx,
  deliveryId: number,
  result: TryResult,
  isReplay: boolean,
): Promise<void> {
  const { at, durationMs, outcome, status, answer } = result
  const isDelivered = outcome === 'delivered'
  await sql`
    with changed as (
      update webhook_delivery
        set state = case when ${isDelivered} then 'delivered' when state = 'once' then 'failed' else state end,
            next_try_at = case when ${isDelivered} then null else next_try_at end
        where id = ${deliveryId}
        returning id
    )
    insert into webhook_try (delivery_id, is_replay, at, duration_ms, outcome, status, answer)
      select id, ${isReplay}, to_timestamp(${at}::float8 / 1000), ${durationMs}, ${outcome}, ${status}::int, ${answer}::text
        from changed`.execute(tx)
}

export function selectDelivery(
  db: Db,
  endpointId: number,
  id: number,
): Promise<DeliveryRecord | undefined> {
  return db
    .selectFrom('webhook_delivery')
    .select(COLUMNS)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Newest first, at most `limit`; the list ends with the body that reaches MAX_PAGE_BYTES. `before`: an id of the list; `state`
 * undefined: all.
 */
export async function selectDeliveries(
  db: Db,
  endpointId: number,
  page: { before?: number | undefined; limit: number; state?: DeliveryState | undefined },
): Promise<{ deliveries: DeliveryRecord[]; hasMore: boolean }> {
  const { before = null, limit, state = null } = page
  const { rows } = await sql<Omit<DeliveryRecord, 'body'> & { body: string | null }>`
    select id, message_id as "messageId", type, created_at as "createdAt", state, next_try_at as "nextTryAt",
        ${boundedBody(sql`desc`)} as body
      from (select * from webhook_delivery
        where endpoint_id = ${endpointId} and id < coalesce(${before}::bigint, 9223372036854775807)
          and (${state}::text is null or state = ${state})
        order by id desc limit ${limit + 1}) d
      order by id desc`.execute(db)
  const fitting = rows.filter((row): row is DeliveryRecord => row.body !== null)
  const deliveries = fitting.slice(0, limit)
  return { deliveries, hasMore: rows.length > deliveries.length }
}

/** The last `each` tries of these deliveries, oldest first. */
export async function selectTries(
  db: Db,
  deliveryIds: readonly number[],
  each: number,
): Promise<TryRecord[]> {
  const { rows } = await sql<TryRecord>`
    select t.* from unnest(${deliveryIds}::bigint[]) as d (id) cross join lateral (
        select id, delivery_id as "deliveryId", is_replay as "isReplay", at, duration_ms as "durationMs", outcome, status, answer
          from webhook_try where delivery_id = d.id order by id desc limit ${each}) t
      order by t.id`.execute(db)
  return rows
}

/** Of an endpoint that is off. */
export async function cancelWaiting(tx: Tx, endpointId: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'canceled', next_try_at = null
      where state = 'waiting' and id in (
        select d.id from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id and not e.enabled
          where d.endpoint_id = ${endpointId} and d.state = 'waiting' limit ${most})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * What waits for a later try is due now, in the order of ids, `after` excluded. Returns the last id, null without one. Needs the lock of
 * the endpoint.
 */
export async function endWaits(
  tx: Tx,
  endpointId: number,
  after: number,
  most: number,
): Promise<number | null> {
  const { rows } = await sql<{ lastId: number | null }>`
    with due as (
      update webhook_delivery set next_try_at = clock_timestamp()
        where state = 'waiting' and id in (
          select id from webhook_delivery
            where endpoint_id = ${endpointId} and state = 'waiting' and next_try_at > clock_timestamp() and id > ${after}
            order by id limit ${most} for update)
        returning id)
    select max(id) as "lastId" from due`.execute(tx)
  return rows[0]!.lastId
}

/** Endpoints for which more than `most` messages wait; `lastId`: the newest of the oldest beyond. */
export async function selectCrowded(
  db: Db,
  most: number,
): Promise<{ endpointId: number; lastId: number }[]> {
  const { rows } = await sql<{ endpointId: number; lastId: number }>`
    select endpoint_id as "endpointId", (
        select id from webhook_delivery
          where endpoint_id = c.endpoint_id and state = 'waiting' order by id desc offset ${most} limit 1) as "lastId"
      from webhook_delivery c where state = 'waiting' group by endpoint_id having count(*) > ${most}`.execute(
    db,
  )
  return rows.filter(({ lastId }) => lastId !== null)
}

/** What waits up to `lastId`. */
export async function cancelUpTo(
  tx: Tx,
  endpointId: number,
  lastId: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'canceled', next_try_at = null
      where state = 'waiting' and id in (
        select id from webhook_delivery
          where endpoint_id = ${endpointId} and state = 'waiting' and id <= ${lastId} limit ${most})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

/** After a restore. Returns their number. */
export async function cancelAllWaiting(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'canceled', next_try_at = null where state = 'waiting'`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

/** What its call did not finish. */
export async function endUnfinished(tx: Tx, onceMinutes: number): Promise<void> {
  await sql`
    update webhook_delivery set state = 'failed'
      where state = 'once' and created_at < clock_timestamp() - ${onceMinutes} * interval '1 minute'`.execute(
    tx,
  )
}

/** What has waited too long. */
export async function endOverdue(tx: Tx, waitDays: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'failed', next_try_at = null
      where state = 'waiting' and id in (
        select id from webhook_delivery
          where state = 'waiting' and created_at < clock_timestamp() - ${waitDays} * interval '1 day'
          order by created_at limit ${most})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** With their tries. */
export async function deleteOldDeliveries(tx: Tx, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where created_at < clock_timestamp() - ${days} * interval '1 day'
        order by created_at limit ${most})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Endpoints with more than `most` deliveries; `lastId`: the newest of the oldest beyond. Of the
 * endpoints it reads a sixtieth: those of the `minute`, 0 to 59.
 */
export async function selectOverfull(
  db: Db,
  most: number,
  minute: number,
): Promise<{ endpointId: number; lastId: number }[]> {
  const { rows } = await sql<{ endpointId: number; lastId: number }>`
    select e.id as "endpointId", d.id as "lastId"
      from webhook_endpoint e cross join lateral (
        select id from webhook_delivery where endpoint_id = e.id order by id desc offset ${most} limit 1) d
      where e.id % 60 = ${minute}::int and e.deleted_at is null`.execute(db)
  return rows
}

/** What does not wait, up to `lastId`. Returns how many, at most `most`. */
export async function deleteUpTo(
  tx: Tx,
  endpointId: number,
  lastId: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery
        where endpoint_id = ${endpointId} and id <= ${lastId} and state not in ('waiting', 'once') limit ${most})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

export async function deleteDeliveriesOf(
  tx: Tx,
  endpointId: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where endpoint_id = ${endpointId} limit ${most})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** `untriedSeconds`: age of the oldest message that has not been tried. */
export type WebhookLevels = { waiting: number; untriedSeconds: number; failing: number }

export async function readWebhookLevels(db: Db): Promise<WebhookLevels> {
  const { rows } = await sql<WebhookLevels>`
    select (select count(*) from webhook_delivery where state = 'waiting') + (select count(*) from outbox) as waiting,
        coalesce(extract(epoch from clock_timestamp() - least(
          (select min(created_at) from webhook_delivery where state = 'waiting' and tries = 0), (select min(at) from outbox))), 0)::float8
          as "untriedSeconds",
        (select count(*) from webhook_endpoint where failing_since is not null and enabled and deleted_at is null) as failing`.execute(
    db,
  )
  return rows[0]!
}
