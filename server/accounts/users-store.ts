import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Activation, Role, UserSort } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { UserRecord, IdPage } from './store.ts'

/** Null: no filter. */
export type UserQuery = {
  search: string | null
  role: Role | null
  activation: Activation | null
  sort: UserSort
  descending: boolean
  offset: number
  limit: number
}

const SORTED_BY: Record<UserSort, RawBuilder<unknown>> = {
  createdAt: sql`u.created_at`,
  name: sql`lower(u.name)`,
  email: sql`u.email_key`,
  role: sql`u.role`,
  activation: sql`u.activation`,
  balance: sql`available.credits - available.debits`,
  totalDeposit: sql`available.deposited`,
  totalSpent: sql`held.captured - available.refunded`,
}
const AVAILABLE = sql`
  join account aa on aa.owner_id = u.id and aa.kind = 'available' join balance available on available.account_id = aa.id`
const HELD = sql`
  join account ah on ah.owner_id = u.id and ah.kind = 'held' join balance held on held.account_id = ah.id`
/** What `SORTED_BY` reads beside the user; every join takes its time of each user. */
const JOINED_BY: Partial<Record<UserSort, RawBuilder<unknown>>> = {
  balance: AVAILABLE,
  totalDeposit: AVAILABLE,
  totalSpent: sql`${AVAILABLE} ${HELD}`,
}

/** A page of users and their total. Ties are sorted by id, so that no user is on two pages. */
export async function selectUserIds(db: Db, query: UserQuery): Promise<IdPage> {
  const isIndexed = query.search === null && JOINED_BY[query.sort] === undefined
  const { rows } = await (isIndexed ? indexedPage(query) : sortedPage(query)).execute(db)
  return rows[0]!
}

const directionOf = ({ descending }: UserQuery): RawBuilder<unknown> =>
  descending ? sql`desc` : sql`asc`

/** Read in the order of an index. */
const indexedPage = (query: UserQuery): RawBuilder<IdPage> => sql<IdPage>`
  select array(select u.id from app_user u
      where ${matchesUserQuery(query)}
      order by ${SORTED_BY[query.sort]} ${directionOf(query)}, u.id ${directionOf(query)}
      limit ${query.limit} offset ${query.offset}) as ids,
    (select count(*) from app_user u where ${matchesUserQuery(query)}) as total`

/**
 * All matches are read once and then sorted. Materialized: PostgreSQL would read balances in their order and look up the user
 * of each, expecting 50 users soon, but all held balances of $0.00 may come first.
 */
const sortedPage = (query: UserQuery): RawBuilder<IdPage> => sql<IdPage>`
  with matching as materialized (
    select u.id, ${query.search === null ? sql`false` : matchesIdOrCode(query.search)} as is_named, ${SORTED_BY[query.sort]} as sorted
      from app_user u ${JOINED_BY[query.sort] ?? sql``}
      where ${matchesUserQuery(query)})
  select array(select id from matching
      order by is_named desc, sorted ${directionOf(query)}, id ${directionOf(query)}
      limit ${query.limit} offset ${query.offset}) as ids,
    (select count(*) from matching) as total`

/** In the order of `ids`, without deleted users. */
export async function selectUsers(db: Db, ids: readonly number[]): Promise<UserRecord[]> {
  const { rows } = await sql<UserRecord>`
    select u.id, u.name, u.email, u.role, u.activation, u.referral_code as "referralCode", u.referred_by as "referredBy", u.avatar,
           u.email_verified_at as "emailVerifiedAt", u.invited_at as "invitedAt", u.created_at as "createdAt"
      from unnest(${ids}::bigint[]) with ordinality as page (id, place)
      join app_user u on u.id = page.id and u.deleted_at is null
      order by page.place`.execute(db)
  return rows
}

const matchesUserQuery = ({ search, role, activation }: UserQuery): RawBuilder<unknown> =>
  sql.join(
    [
      sql`u.deleted_at is null`,
      ...(role === null ? [] : [sql`u.role = ${role}`]),
      ...(activation === null ? [] : [sql`u.activation = ${activation}`]),
      ...(search === null ? [] : [matchesSearch(search)]),
    ],
    sql` and `,
  )

/** Ids of users whom the search matches, newest first, at most `most`; deleted users too. */
export async function selectMatchingUserIds(
  db: Db,
  search: string,
  most: number,
): Promise<number[]> {
  const {
    rows: [found],
  } = await sql<{ ids: number[] }>`
    select array(select u.id from app_user u where ${matchesSearch(search)} order by u.id desc limit ${most}) as ids`.execute(
    db,
  )
  return found!.ids
}

/** Parts of name or email in any letter case, or the whole id or code. */
function matchesSearch(search: string): RawBuilder<unknown> {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(lower(u.name) like lower(${part}::text) or u.email_key like lower(${part}::text) or ${matchesIdOrCode(search)})`
}

/** A match of the whole id or code is listed first, before partial matches of name or email. */
function matchesIdOrCode(search: string): RawBuilder<unknown> {
  const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : null
  return sql`(u.referral_code = upper(${search}::text) or u.id is not distinct from ${id}::bigint)`
}
