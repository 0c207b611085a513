import { sql } from 'kysely'
import type { OffReason, WebhookFormat, WebhookType } from '#contract/webhooks.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { EndpointHealth } from './rules.ts'

export type EndpointRecord = {
  id: number
  userId: number
  url: string
  format: WebhookFormat
  types: WebhookType[]
  bulkRows: boolean
  enabled: boolean
  offReason: OffReason | null
  failingSince: Date | null
  createdAt: Date
}

/** Sealed; `previous` only while it signs too. */
export type SealedSecrets = { secret: Buffer; previous: Buffer | null }

const COLUMNS = [
  'id',
  'user_id as userId',
  'url',
  'format',
  'types',
  'bulk_rows as bulkRows',
  'enabled',
  'off_reason as offReason',
  'failing_since as failingSince',
  'created_at as createdAt',
] as const

/** Oldest first. */
export function selectEndpoints(db: Db, userId: number): Promise<EndpointRecord[]> {
  return db
    .selectFrom('webhook_endpoint')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

export function selectEndpoint(
  db: Db,
  userId: number,
  id: number,
): Promise<(EndpointRecord & SealedSecrets) | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .select([...COLUMNS, 'secret', currentPrevious])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export const selectNewestSecrets = (
  db: Db,
  limit: number,
): Promise<({ id: number } & SealedSecrets)[]> =>
  db
    .selectFrom('webhook_endpoint')
    .select(['id', 'secret', currentPrevious])
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const currentPrevious = sql<Buffer | null>`
  case when previous_secret_until > clock_timestamp() then previous_secret end`.as('previous')

export type NewEndpoint = {
  userId: number
  url: string
  format: WebhookFormat
  types: readonly WebhookType[]
  bulkRows: boolean
}

/** Without a secret: it is sealed for the id, and set in the same transaction. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<EndpointRecord> {
  const { userId, url, format, types, bulkRows } = endpoint
  return tx
    .insertInto('webhook_endpoint')
    .values({
      user_id: userId,
      url,
      format,
      types: [...types],
      bulk_rows: bulkRows,
      secret: Buffer.alloc(0),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function setSecret(tx: Tx, id: number, secret: Buffer): Promise<void> {
  await tx.updateTable('webhook_endpoint').set({ secret }).where('id', '=', id).execute()
}

export type EndpointChange = {
  url: string
  types: readonly WebhookType[]
  bulkRows: boolean
  enabled: boolean
}

/**
 * An endpoint that is switched on again, or has another URL, begins without failures, and a pause that the old address asked for
 * ends. Messages that were not canceled yet when it is switched on are delivered.
 */
export async function updateEndpoint(tx: Tx, id: number, change: EndpointChange): Promise<void> {
  const { url, types, bulkRows, enabled } = change
  await lockEndpoint(tx, id)
  await sql`
    update webhook_endpoint
      set url = ${url}, types = ${types}::text[], bulk_rows = ${bulkRows}, enabled = ${enabled},
          off_reason = case when ${enabled} then null else coalesce(off_reason, 'user') end,
          due_at = case when ${enabled} and (not enabled or url <> ${url}) then ${firstWaiting} when ${enabled} then due_at end,
          failing_since = case when ${enabled} and (not enabled or url <> ${url}) then null else failing_since end,
          failures_in_row = case when ${enabled} and (not enabled or url <> ${url}) then 0 else failures_in_row end,
          paused_until = case when ${enabled} and (not enabled or url <> ${url}) then null else paused_until end
      where id = ${id}`.execute(tx)
}

export const lockEndpoint = (tx: Tx, id: number) =>
  sql`select 1 from webhook_endpoint where id = ${id} for update`.execute(tx)

const firstWaiting = sql<Date | null>`
  (select min(next_try_at) from webhook_delivery d where d.endpoint_id = webhook_endpoint.id and d.state = 'waiting')`

/** Its URL and secrets are erased; its deliveries are deleted in the background. */
export async function markDeleted(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    update webhook_endpoint
      set deleted_at = clock_timestamp(), due_at = null, url = '', secret = '', previous_secret = null, previous_secret_until = null
      where id = any(${ids}::bigint[]) and deleted_at is null`.execute(tx)
}

/** Returns when the old secret ends. */
export async function replaceSecret(
  tx: Tx,
  id: number,
  secret: Buffer,
  oldSecretHours: number,
): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    update webhook_endpoint
      set previous_secret = secret, secret = ${secret}, previous_secret_until = clock_timestamp() + ${oldSecretHours} * interval '1 hour'
      where id = ${id} returning previous_secret_until as until`.execute(tx)
  return rows[0]!.until
}

/** Enabled ones of these users, locked in the order of their ids. */
export async function lockReceivers(tx: Tx, userIds: readonly number[]): Promise<EndpointRecord[]> {
  return tx
    .selectFrom('webhook_endpoint')
    .select(COLUMNS)
    .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Not before a pause ends. */
export async function makeEndpointsDue(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    update webhook_endpoint set due_at = least(due_at, greatest(clock_timestamp(), paused_until))
      where id = any(${ids}::bigint[]) and enabled and deleted_at is null`.execute(tx)
}

export type EndpointClaim = { id: number; userId: number; fence: number }

/**
 * Claims endpoints with a due delivery for this process alone, at most `perUser` of each user.
 * Blocked users receive nothing: theirs wait.
 */
export async function claimDueEndpoints(
  db: Db,
  {
    limit,
    perUser,
    leaseMs,
    busy,
  }: { limit: number; perUser: number; leaseMs: number; busy: number[] },
): Promise<EndpointClaim[]> {
  const { rows } = await sql<EndpointClaim>`
    with candidate as materialized (
      select id from (
        select e.id, e.due_at, row_number() over (partition by e.user_id order by e.due_at, e.id) as place
          from webhook_endpoint e join app_user u on u.id = e.user_id and u.activation = 'allow' and u.deleted_at is null
          where e.due_at <= clock_timestamp() and e.enabled and e.deleted_at is null
            and (e.lease_until is null or e.lease_until < clock_timestamp()) and e.user_id <> all(${busy}::bigint[])) due
        where place <= ${perUser} order by due_at limit ${limit}
    ), mine as materialized (
      select e.id from webhook_endpoint e where e.id in (select id from candidate)
          and (e.lease_until is null or e.lease_until < clock_timestamp())
        for update skip locked)
    update webhook_endpoint e
      set fence = e.fence + 1, lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from mine where e.id = mine.id
      returning e.id, e.user_id as "userId", e.fence`.execute(db)
  return rows
}

/** False when another process has claimed it. */
export async function renewLease(
  db: Db,
  { id, fence }: EndpointClaim,
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where id = ${id} and fence = ${fence}`.execute(db)
  return numAffectedRows === 1n
}

/** Where a claimed endpoint receives now; undefined when it must receive nothing. */
export async function findClaimed(
  db: Db,
  { id, fence }: EndpointClaim,
): Promise<(EndpointRecord & SealedSecrets) | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .select([...COLUMNS, 'secret', currentPrevious])
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(paused_until is null or paused_until <= clock_timestamp())`)
    .executeTakeFirst()
}

/** Ends the claim; the next delivery is due when the earliest one is, not before a pause ends. */
export async function releaseEndpoint(tx: Tx, { id, fence }: EndpointClaim): Promise<void> {
  // The lock first: messages that another transaction adds are seen or make it due again.
  await lockEndpoint(tx, id)
  await sql`
    update webhook_endpoint
      set lease_until = null, due_at = case when ${firstWaiting} is not null then greatest(${firstWaiting}, paused_until) end
      where id = ${id} and fence = ${fence}`.execute(tx)
}

/** Moments in ms since 1970 by the clock of the database. */
export async function lockHealth(
  tx: Tx,
  id: number,
): Promise<(EndpointHealth & { now: number; url: string }) | undefined> {
  const { rows } = await sql<EndpointHealth & { now: number; url: string }>`
    select url, failures_in_row as "failuresInRow", (extract(epoch from failing_since) * 1000)::float8 as "failingSince",
        (extract(epoch from paused_until) * 1000)::float8 as "pausedUntil", (extract(epoch from clock_timestamp()) * 1000)::float8 as now
      from webhook_endpoint where id = ${id} and deleted_at is null for update`.execute(tx)
  return rows[0]
}

export async function saveHealth(tx: Tx, id: number, health: EndpointHealth): Promise<void> {
  const { failuresInRow, failingSince, pausedUntil } = health
  await sql`
    update webhook_endpoint
      set failures_in_row = ${failuresInRow}, failing_since = to_timestamp(${failingSince}::float8 / 1000),
          paused_until = to_timestamp(${pausedUntil}::float8 / 1000)
      where id = ${id}`.execute(tx)
}

/** False when it was off already, or has another URL. */
export async function switchOff(
  tx: Tx,
  { id, url }: { id: number; url: string },
  reason: OffReason,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set enabled = false, off_reason = ${reason}, due_at = null
      where id = ${id} and url = ${url} and enabled and deleted_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/** An endpoint that is off and for which messages wait, for the sweep. */
export async function findOffWithWaiting(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoint e
      where not enabled and deleted_at is null
        and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting') limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

/** A deleted endpoint, for the sweep. */
export async function findDeleted(db: Db): Promise<number | undefined> {
  const found = await db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

export async function deleteEndpointRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
}

export async function eraseOldSecrets(tx: Tx): Promise<void> {
  await sql`
    update webhook_endpoint set previous_secret = null, previous_secret_until = null
      where previous_secret_until < clock_timestamp()`.execute(tx)
}

/** After a restore: nothing is due, and no process delivers. */
export async function resetEndpoints(tx: Tx): Promise<void> {
  await sql`update webhook_endpoint set due_at = null, lease_until = null, fence = fence + 1, paused_until = null`.execute(
    tx,
  )
}
