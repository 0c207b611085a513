import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrders } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `cost`: charged by the carrier. */
export type OrderWithUser = { order: OrderRecord; user: UserRef; cost: Cents | null }

export async function countAllOrders(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select coalesce(sum(orders), 0)::bigint as n from user_order_count`.execute(db)
  return rows[0]!.n
}

/** A page of ids, newest first, read from the nearer end of the index. */
export async function selectPageOfAllOrders(
  db: Db,
  total: number,
  offset: number,
  limit: number,
): Promise<number[]> {
  const remaining = total - offset - limit
  const fromOldest = remaining < offset
  const [skip, take] = fromOldest
    ? [Math.max(0, remaining), Math.max(0, limit + Math.min(0, remaining))]
    : [offset, limit]
  const { rows } = await sql<{
    id: number
  }>`select id from shipment_order order by id ${fromOldest ? sql`asc` : sql`desc`}
    offset ${skip} limit ${take}`.execute(db)
  return fromOldest ? rows.reverse().map(row => row.id) : rows.map(row => row.id)
}

/** In the order of `ids`. */
export async function selectOrdersWithUsers(db: Db, ids: number[]): Promise<OrderWithUser[]> {
  const [orders, backs] = await Promise.all([
    findOrders(db, ids),
    sql<{ id: number; cost: number | null; user: UserRef }>`
    select o.id, o.cost_cents as cost, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
      from shipment_order o join app_user u on u.id = o.user_id where o.id = any(${ids}::bigint[])`.execute(
      db,
    ),
  ])
  const order = new Map(orders.map(one => [one.id, one]))
  const back = new Map(backs.rows.map(one => [one.id, one]))
  return ids.flatMap(id => {
    const [one, { cost = null, user } = {}] = [order.get(id), back.get(id)]
    return one && user ? [{ order: one, user, cost: cost === null ? null : cents(cost) }] : []
  })
}

/** Of bought labels; `costed` is the price of those with a known cost. */
export type LabelSums = {
  bought: number
  price: Cents
  costed: Cents
  cost: Cents
  unknownCosts: number
}

export async function sumOrders(db: Db, ids: readonly number[]): Promise<LabelSums> {
  const { rows } = await sql<Record<keyof LabelSums, number>>`
    select count(*) as bought, coalesce(sum(price_cents), 0)::bigint as price,
           coalesce(sum(price_cents) filter (where cost_cents is not null), 0)::bigint as costed,
           coalesce(sum(cost_cents), 0)::bigint as cost,
           count(*) filter (where cost_cents is null) as "unknownCosts"
      from shipment_order where id = any(${ids}::bigint[]) and state = 'purchased'`.execute(db)
  const { price, costed, cost, ...counts } = rows[0]!
  return { ...counts, price: cents(price), costed: cents(costed), cost: cents(cost) }
}
