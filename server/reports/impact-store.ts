/** Labels that were bought, to price them again. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** `cost`: null while it is not known; `charged` in cents. */
export type BoughtLabel = {
  userId: number
  uid: string
  charged: number
  cost: number | null
  length: number
  width: number
  height: number
  weight: number
  fromZip: string
  toZip: string
  /** Of a service of the user's own. */
  isOwn: boolean
}

export type LabelScope = {
  /** Null: users whom the default prices apply to, and others `withOwn`. */
  userId: number | null
  withOwn: boolean
  uids: readonly string[]
  days: number
  newest: number
}

/**
 * Of the newest `newest` orders (of one user: of the newest bought ones) those of the services that were bought in the last `days` days and
 * are not voided. `isSample`: older orders of that time were left out.
 */
export async function selectBoughtLabels(
  db: Db,
  { userId, withOwn, uids, days, newest }: LabelScope,
): Promise<{ labels: BoughtLabel[]; isSample: boolean }> {
  // With the condition of the index of a user's bought labels.
  const ofUser =
    userId === null ? sql`true` : sql`user_id = ${userId}::bigint and tracking_number is not null`
  const since = sql`now() - make_interval(days => ${days}::int)`
  const { rows } = await sql<BoughtLabel>`
    select * from (
    select o.user_id as "userId", o.service_uid as uid, o.price_cents as charged, o.cost_cents as cost,
           (o.package ->> 'length')::float8 as length, (o.package ->> 'width')::float8 as width,
           (o.package ->> 'height')::float8 as height, (o.package ->> 'weight')::float8 as weight,
           o.sender ->> 'zip' as "fromZip", o.receiver ->> 'zip' as "toZip",
           exists (
             select from user_service u join default_service d on d.id = u.default_id
               where u.user_id = o.user_id and u.active and d.uid = o.service_uid) as "isOwn"
      from (select * from shipment_order where ${ofUser} order by id desc limit ${newest}) o
      where o.state in ('purchased', 'voiding') and o.purchased_at >= ${since} and o.service_uid = any(${uids}::text[])) labels
      where ${userId !== null || withOwn} or not "isOwn"`.execute(db)
  const {
    rows: [oldest],
  } = await sql<{ isRecent: boolean }>`
    select created_at >= ${since} as "isRecent"
      from shipment_order where ${ofUser} order by id desc offset ${newest - 1} limit 1`.execute(db)
  return { labels: rows, isSample: oldest?.isRecent ?? false }
}

/** Users with services of their own, deleted users excluded. */
export async function countUsersWithOwnServices(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('user_service')
    .innerJoin('app_user', 'app_user.id', 'user_service.user_id')
    .where('app_user.deleted_at', 'is', null)
    .where('user_service.active', '=', true)
    .select(eb => eb.fn.count<number>('user_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
