/** Users by the number of users who signed up with their code. */
import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db } from '#server/platform/database/database.ts'

const SECONDS_OF_WEEK = 7 * 24 * 60 * 60

export type SignUpRow = { id: number; referrerId: number }
/** `users`: who signed up with the code; `deposited`: by them. */
export type ReferrerRow = { id: number; users: number; deposited: Cents; newestAt: Date }

/**
 * Of the newest `counted` sign-ups with a code, without those of a deleted user's code; the most first, then the larger deposits.
 * `total`: users whose code was used by one of them. `signUps`: them; `recent`: those of the last `recentDays`; `latest`: the
 * newest few; `perWeek`: in each of the last `weeks` spans of seven days up to now, the oldest first.
 */
export async function selectReferrers(
  db: Db,
  {
    offset,
    limit,
    counted,
    recentDays,
    latest: few,
    weeks,
  }: {
    offset: number
    limit: number
    counted: number
    recentDays: number
    latest: number
    weeks: number
  },
): Promise<{
  rows: ReferrerRow[]
  total: number
  signUps: number
  recent: number
  latest: SignUpRow[]
  perWeek: number[]
}> {
  const { rows } = await sql<{
    total: number
    signUps: number
    recent: number
    latest: SignUpRow[] | null
    by_week: Record<string, number> | null
    found: { id: number; users: number; deposited: number; newest_at: string }[] | null
  }>`
    with of_all as materialized (
      select id, referred_by, created_at from app_user where referred_by is not null and deleted_at is null
        order by id desc limit ${counted}),
    newest as materialized (
      select n.* from of_all n join app_user r on r.id = n.referred_by and r.deleted_at is null),
    referrer as (
      select n.referred_by as id, count(*) as users, coalesce(sum(b.deposited), 0) as deposited, max(n.created_at) as newest_at
        from newest n left join account a on a.owner_id = n.id and a.kind = 'available' left join balance b on b.account_id = a.id
        group by n.referred_by)
    select (select count(*) from referrer) as total, (select count(*) from newest) as "signUps",
      (select count(*) from newest where created_at > clock_timestamp() - ${recentDays} * interval '1 day') as recent,
      (select jsonb_object_agg(weeks_ago, users) from (
        select greatest(0, floor(extract(epoch from clock_timestamp() - created_at) / ${SECONDS_OF_WEEK}))::int as weeks_ago,
            count(*) as users
          from newest where created_at > clock_timestamp() - ${weeks} * interval '7 days' group by 1) counted) as by_week,
      (select jsonb_agg(to_jsonb(one)) from (
        select id, referred_by as "referrerId" from newest order by id desc limit ${few}) one) as latest,
      (select jsonb_agg(to_jsonb(shown)) from (
        select id, users, deposited, newest_at from referrer order by users desc, deposited desc, newest_at desc, id
          offset ${offset} limit ${limit}) shown) as found`.execute(db)
  const { found, latest, by_week: byWeek, ...counts } = rows[0]!
  return {
    ...counts,
    perWeek: Array.from({ length: weeks }, (_, week) => byWeek?.[weeks - 1 - week] ?? 0),
    latest: latest ?? [],
    rows: (found ?? []).map(row => ({
      id: row.id,
      users: row.users,
      deposited: cents(row.deposited),
      newestAt: new Date(row.newest_at),
    })),
  }
}
