import { sql } from 'kysely'
import type { PriceRule } from '#contract/price-rules.ts'
import type { Prices } from '#contract/pricing.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { NewService, Service } from './rules.ts'

export type ServiceTarget = { defaultId: number } | { userId: number; serviceId: number }

const latestDefaultPrices = sql`left join lateral (
  select p.id, p.ranges, p.price_table, p.rule from price_version p
    where p.default_id = d.id order by p.version desc limit 1) dp on true`
const latestUserPrices = sql`left join lateral (
  select p.id, p.ranges, p.price_table, p.rule from price_version p
    where p.user_service_id = u.id order by p.version desc limit 1) up on true`

/** Includes vanished and disabled services. */
export async function selectDefaultServices(db: Db): Promise<Service[]> {
  const { rows } = await sql<Service>`
    select d.id, d.uid, d.name, d.category, d.max_weight as "maxWeight", d.offered, d.enabled,
           coalesce(dp.ranges, '[]') as ranges, dp.price_table as "table", dp.rule, dp.id as "priceVersionId"
      from default_service d ${latestDefaultPrices} order by d.position, d.id`.execute(db)
  return rows
}

export async function selectUserServices(db: Db, userId: number): Promise<Service[]> {
  const { rows } = await sql<Service>`
    select u.id, d.uid, u.name, d.category, d.max_weight as "maxWeight", d.offered, u.enabled,
           coalesce(up.ranges, '[]') as ranges, up.price_table as "table", up.rule, up.id as "priceVersionId"
      from user_service u join default_service d on d.id = u.default_id ${latestUserPrices}
      where u.user_id = ${userId} and u.active order by d.position, d.id`.execute(db)
  return rows
}

const EFFECTIVE = sql`coalesce(u.id, d.id) as id, d.uid, coalesce(u.name, d.name) as name, d.category, d.max_weight as "maxWeight",
  d.offered, coalesce(u.enabled, d.enabled) as enabled,
  coalesce(case when u.id is null then dp.ranges else up.ranges end, '[]') as ranges,
  case when u.id is null then dp.price_table else up.price_table end as "table",
  case when u.id is null then dp.rule else up.rule end as rule,
  case when u.id is null then dp.id else up.id end as "priceVersionId"`

/** The services that apply to a user: their own row of a service, else its default. */
export async function selectEffectiveServices(db: Db, userId: number): Promise<Service[]> {
  const { rows } = await sql<Service>`
    select ${EFFECTIVE}
      from default_service d left join user_service u on u.default_id = d.id and u.user_id = ${userId} and u.active
        ${latestDefaultPrices} and u.id is null ${latestUserPrices}
      order by d.position, d.id`.execute(db)
  return rows
}

/** The same for many users, in one statement. Those without services of their own share one list. */
export async function selectServicesOfUsers(
  db: Db,
  userIds: number[],
): Promise<(userId: number) => Service[]> {
  const { rows } = await sql<Service & { userId: number | null }>`
    with seller as (
      select distinct user_id from user_service where user_id = any(${arrayOf('bigint', userIds)}) and active
      union all select null)
    select s.user_id as "userId", ${EFFECTIVE}
      from seller s cross join default_service d
        left join user_service u on u.default_id = d.id and u.user_id = s.user_id and u.active
        ${latestDefaultPrices} and u.id is null ${latestUserPrices}
      order by d.position, d.id`.execute(db)
  const lists = Map.groupBy(rows, ({ userId }) => userId)
  return userId => lists.get(userId) ?? lists.get(null) ?? []
}

/**
 * Serializes changes of the catalogue until the transaction ends: versions count without gaps and
 * every set is complete. Readers do not wait.
 */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await sql`lock table default_service in share row exclusive mode`.execute(tx)
}

/** Appends services with their first prices. Existing uids are skipped. */
export async function insertDefaultServices(
  tx: Tx,
  services: NewService[],
  setBy: number | null,
): Promise<void> {
  await sql`
    with input as (
      select uid, name, category, "maxWeight", enabled, ranges, n from rows from (
        jsonb_to_recordset(${JSON.stringify(services)}::jsonb)
          as (uid text, name text, category text, "maxWeight" int, enabled boolean, ranges jsonb)) with ordinality as w (
        uid, name, category, "maxWeight", enabled, ranges, n)),
    added as (
      insert into default_service (uid, name, category, max_weight, enabled, position)
        select uid, name, category, "maxWeight", enabled, n + (select coalesce(max(position), 0) from default_service)
          from input order by n
        on conflict (uid) do nothing
        returning id, uid)
    insert into price_version (default_id, version, ranges, set_by)
      select a.id, 1, w.ranges, ${setBy}::bigint from added a join input w on w.uid = a.uid
        where jsonb_array_length(w.ranges) > 0`.execute(tx)
}

/** Marks offered and vanished services, and takes over the carrier's limits (lb) and categories. */
export async function updateOffered(
  tx: Tx,
  raw: { uid: string; category: string; maxWeight: number }[],
): Promise<void> {
  await sql`
    update default_service d
      set offered = r.uid is not null, category = coalesce(r.category, d.category), max_weight = coalesce(r.max_weight, d.max_weight)
      from default_service same
        left join unnest(${raw.map(one => one.uid)}::text[], ${raw.map(one => one.category)}::text[],
                         ${raw.map(one => one.maxWeight)}::int[]) as r (uid, category, max_weight) on r.uid = same.uid
      where same.id = d.id`.execute(tx)
}

/**
 * Copies defaults that users have no active row for, with current prices. Returns the number of
 * rows.
 */
export async function copyDefaultServices(
  tx: Tx,
  userIds: number[],
  setBy: number | null,
): Promise<number> {
  const { rows } = await sql<{ copied: number }>`
    with copied as (
      insert into user_service (user_id, default_id, name, enabled)
        select u.id, d.id, d.name, d.enabled from unnest(${userIds}::bigint[]) as u (id) cross join default_service d
          order by u.id, d.position, d.id
        on conflict (user_id, default_id)
          do update set name = excluded.name, enabled = excluded.enabled, active = true where not user_service.active
        returning id, default_id),
    priced as (
      insert into price_version (user_service_id, version, ranges, price_table, rule, cost_version_id, set_by)
        select c.id, 1 + coalesce((select max(p.version) from price_version p where p.user_service_id = c.id), 0),
               latest.ranges, latest.price_table, latest.rule, latest.cost_version_id, ${setBy}::bigint
          from copied c
          cross join lateral (
            select ranges, price_table, rule, cost_version_id from price_version
              where default_id = c.default_id order by version desc limit 1) latest)
    select count(*) as copied from copied`.execute(tx)
  return rows[0]!.copied
}

/** The defaults apply to the user again. Returns the names of the services that no longer apply. */
export async function deactivateUserServices(tx: Tx, userId: number): Promise<string[]> {
  const rows = await tx
    .updateTable('user_service')
    .set({ active: false })
    .where('user_id', '=', userId)
    .where('active', '=', true)
    .returning('name')
    .execute()
  return rows.map(row => row.name)
}

/** Users with own services, deleted users excluded. */
export async function selectUsersWithOwnServices(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('user_service')
    .innerJoin('app_user', 'app_user.id', 'user_service.user_id')
    .where('app_user.deleted_at', 'is', null)
    .where('user_service.active', '=', true)
    .select('user_id')
    .distinct()
    .orderBy('user_id')
    .execute()
  return rows.map(row => row.user_id)
}

export async function updateService(
  tx: Tx,
  target: ServiceTarget,
  changed: { name: string } | { enabled: boolean },
): Promise<void> {
  if ('defaultId' in target) {
    await tx
      .updateTable('default_service')
      .set(changed)
      .where('id', '=', target.defaultId)
      .execute()
  } else {
    const { userId, serviceId } = target
    await tx
      .updateTable('user_service')
      .set(changed)
      .where('user_id', '=', userId)
      .where('id', '=', serviceId)
      .execute()
  }
}

/** `ruled`: the rule that they follow, and the costs that it was applied to; null of a live one. */
export type NewPrices = Prices & {
  ruled?: { rule: PriceRule; costVersionId: number | null } | null
}

/** `changeId`: of the change of many prices that they are a part of. */
export type PricesSet = { setBy: number; changeId: number | null }

/**
 * Appends the next version of prices and returns its number. Call it under the catalogue's lock.
 */
export async function insertPrices(
  tx: Tx,
  target: ServiceTarget,
  prices: NewPrices,
  setBy: number,
): Promise<number> {
  const [version] = await insertManyPrices(tx, [{ target, prices }], { setBy, changeId: null })
  return version!
}

/** The same for different services in one statement. Returns the versions in no order. */
export async function insertManyPrices(
  tx: Tx,
  added: readonly { target: ServiceTarget; prices: NewPrices }[],
  { setBy, changeId }: PricesSet,
): Promise<number[]> {
  const ids = added.map(({ target }) => targetIds(target))
  const column = <T>(pick: (prices: NewPrices) => T) => added.map(({ prices }) => pick(prices))
  const { rows } = await sql<{ version: number }>`
    insert into price_version (default_id, user_service_id, version, ranges, price_table, rule, cost_version_id, set_by, change_id)
      select p.default_id, p.service_id, 1 + coalesce(
               (select max(v.version) from price_version v where v.default_id = p.default_id or v.user_service_id = p.service_id), 0),
             p.ranges, p.price_table, p.rule, p.cost_version_id, ${setBy}::bigint, ${changeId}::bigint
        from unnest(${ids.map(({ defaultId }) => defaultId)}::bigint[], ${ids.map(({ serviceId }) => serviceId)}::bigint[],
                    ${column(({ ranges }) => JSON.stringify(ranges))}::jsonb[],
                    ${column(({ table }) => table && JSON.stringify(table))}::jsonb[],
                    ${column(({ ruled }) => (ruled ? JSON.stringify(ruled.rule) : null))}::jsonb[],
                    ${column(({ ruled }) => ruled?.costVersionId ?? null)}::bigint[])
             as p (default_id, service_id, ranges, price_table, rule, cost_version_id)
      returning version`.execute(tx)
  return rows.map(({ version }) => version)
}

const targetIds = (target: ServiceTarget): { defaultId: number | null; serviceId: number | null } =>
  'defaultId' in target
    ? { defaultId: target.defaultId, serviceId: null }
    : { defaultId: null, serviceId: target.serviceId }

/** `setBy`: null for the prices of the first start; `reason`: of those that a file or a way back set. */
export type PriceVersionRecord = Prices & {
  rule: PriceRule | null
  version: number
  reason: string | null
  setBy: { id: number; name: string } | null
  createdAt: Date
}

/** Newest first. The caller has checked the service's owner. */
export async function selectPriceVersions(
  db: Db,
  target: ServiceTarget,
): Promise<PriceVersionRecord[]> {
  const { defaultId, serviceId } = targetIds(target)
  const { rows } = await sql<PriceVersionRecord>`
    select p.version, p.ranges, p.price_table as "table", p.rule, c.reason, p.created_at as "createdAt",
           case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as "setBy"
      from price_version p left join app_user u on u.id = p.set_by left join price_change c on c.id = p.change_id
      where p.default_id = ${defaultId}::bigint or p.user_service_id = ${serviceId}::bigint
      order by p.version desc`.execute(db)
  return rows
}
