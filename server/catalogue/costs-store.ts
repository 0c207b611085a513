/** What the carrier charges the operator for each service. Versions are appended, never changed. */
import { sql } from 'kysely'
import type { Prices } from '#contract/pricing.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Service } from './rules.ts'

/** In the shape of prices; `id`: of the version. */
export type CostRecord = Prices & {
  id: number
  uid: string
  version: number
  reason: string
  setBy: { id: number; name: string }
  createdAt: Date
}

/** The newest costs of each service that has any, in the order of the services. */
export async function selectCosts(db: Db): Promise<CostRecord[]> {
  const { rows } = await sql<CostRecord>`
    select c.id, d.uid, c.version, c.ranges, c.price_table as "table", p.reason, c.created_at as "createdAt",
           jsonb_build_object('id', u.id, 'name', u.name) as "setBy"
      from default_service d
      cross join lateral (select * from cost_version v where v.default_id = d.id order by v.version desc limit 1) c
      join price_change p on p.id = c.change_id join app_user u on u.id = p.set_by
      order by d.position, d.id`.execute(db)
  return rows
}

/** Appends the next version of a service's costs. Call it under the catalogue's lock. */
export async function insertCosts(
  tx: Tx,
  uid: string,
  { ranges, table }: Prices,
  changeId: number,
): Promise<void> {
  await sql`
    insert into cost_version (default_id, version, ranges, price_table, change_id)
      select d.id, 1 + coalesce((select max(v.version) from cost_version v where v.default_id = d.id), 0),
             ${JSON.stringify(ranges)}::jsonb, ${table && JSON.stringify(table)}::jsonb, ${changeId}::bigint
        from default_service d where d.uid = ${uid}`.execute(tx)
}

/** The costs that the services of a change had right before it; without ranges where they had none. */
export async function selectCostsBefore(
  db: Db,
  changeId: number,
): Promise<({ uid: string } & Prices)[]> {
  const { rows } = await sql<{ uid: string } & Prices>`
    select d.uid, coalesce(b.ranges, '[]') as ranges, b.price_table as "table"
      from cost_version c join default_service d on d.id = c.default_id
      left join cost_version b on b.default_id = c.default_id and b.version = c.version - 1
      where c.change_id = ${changeId}::bigint order by d.position, d.id`.execute(db)
  return rows
}

/** A user's own service whose prices follow a rule. */
export type OwnService = Service & { userId: number }

/** Ids of users' own services whose newest prices follow a rule; deleted users excluded. */
export async function selectRuledServiceIds(db: Db, uids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from user_service u join default_service d on d.id = u.default_id join app_user a on a.id = u.user_id
      cross join lateral (
        select v.rule from price_version v where v.user_service_id = u.id order by v.version desc limit 1) p
      where u.active and a.deleted_at is null and d.uid = any(${uids as string[]}::text[]) and p.rule is not null
      order by u.user_id, d.position, d.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** With their newest prices, in the order of the ids. */
export async function selectOwnServices(db: Db, ids: readonly number[]): Promise<OwnService[]> {
  const { rows } = await sql<OwnService>`
    select u.user_id as "userId", u.id, d.uid, u.name, d.category, d.max_weight as "maxWeight", d.offered, u.enabled,
           p.ranges, p.price_table as "table", p.rule, p.id as "priceVersionId"
      from unnest(${ids as number[]}::bigint[]) with ordinality as wanted (id, n)
      join user_service u on u.id = wanted.id join default_service d on d.id = u.default_id
      cross join lateral (
        select * from price_version v where v.user_service_id = u.id order by v.version desc limit 1) p
      order by wanted.n`.execute(db)
  return rows
}
