import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Activation, Role, UserSort } from '#contract/accounts.ts'
import { inSnapshot } from '#server/ledger/service.ts'
import { readLastCopied } from '#server/ledger/wallet-figures.ts'
import type { Db } from '#server/platform/database/database.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import type { UserRecord, IdPage } from './store.ts'

/** Null: no filter. */
export type UserQuery = {
  search: string | null
  role: Role | null
  activation: Activation | null
  areDeleted: boolean
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

/** Columns of `wallet_figure`, each with an index. */
const FIGURE_OF: Partial<Record<UserSort, RawBuilder<unknown>>> = {
  balance: sql`f.available_cents`,
  totalDeposit: sql`f.deposited_cents`,
  totalSpent: sql`f.spent_cents`,
}

/** A page of users and their total. Ties are sorted by id, so that no user is on two pages. */
export async function selectUserIds(db: Db, query: UserQuery): Promise<IdPage> {
  const figure = FIGURE_OF[query.sort]
  if (query.search !== null) return readPage(db, sortedPage(query))
  if (figure === undefined) return readPage(db, indexedPage(query))
  return inSnapshot(db, async view => {
    const lastCopied = await readLastCopied(view)
    return readPage(
      view,
      lastCopied === null ? sortedPage(query) : figurePage(query, figure, lastCopied),
    )
  })
}

async function readPage(db: Db, page: RawBuilder<IdPage>): Promise<IdPage> {
  const { rows } = await page.execute(db)
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

/** In the order of an index; users with transfers after `lastCopied` where their balances put them. */
const figurePage = (
  query: UserQuery,
  figure: RawBuilder<unknown>,
  lastCopied: number,
): RawBuilder<IdPage> => sql<IdPage>`${sql.raw(CUSTOM_PLAN)}
  with newer as materialized (select distinct owner_id from transfer where id > ${lastCopied}),
  listed as (
    (select u.id, ${figure} as sorted from wallet_figure f join app_user u on u.id = f.owner_id
      where ${matchesUserQuery(query)} and f.owner_id not in (select owner_id from newer)
      order by ${figure} ${directionOf(query)}, f.owner_id ${directionOf(query)}
      limit ${query.offset + query.limit})
    union all
    select u.id, ${SORTED_BY[query.sort]} from newer n join app_user u on u.id = n.owner_id ${JOINED_BY[query.sort] ?? sql``}
      where ${matchesUserQuery(query)})
  select array(select id from listed
      order by sorted ${directionOf(query)}, id ${directionOf(query)}
      limit ${query.limit} offset ${query.offset}) as ids,
    (select count(*) from app_user u where ${matchesUserQuery(query)}) as total`

/** Materialized: PostgreSQL would read balances in their order, expecting 50 users soon, but all of $0.00 may come first. */
const sortedPage = (query: UserQuery): RawBuilder<IdPage> => sql<IdPage>`
  with matching as materialized (
    select u.id, ${query.search === null ? sql`false` : matchesIdOrCode(query.search)} as is_named, ${SORTED_BY[query.sort]} as sorted
      from app_user u ${JOINED_BY[query.sort] ?? sql``}
      where ${matchesUserQuery(query)})
  select array(select id from matching
      order by is_named desc, sorted ${directionOf(query)}, id ${directionOf(query)}
      limit ${query.limit} offset ${query.offset}) as ids,
    (select count(*) from matching) as total`

const isDeleted = (wanted: boolean): RawBuilder<unknown> =>
  wanted ? sql`u.deleted_at is not null` : sql`u.deleted_at is null`

/** In the order of `ids`: deleted users, or only those that exist. */
export async function selectUsers(
  db: Db,
  ids: readonly number[],
  areDeleted: boolean,
): Promise<UserRecord[]> {
  const { rows } = await sql<UserRecord>`
    select u.id, u.name, u.email, u.role, u.activation, u.referral_code as "referralCode", u.referred_by as "referredBy", u.avatar,
           u.email_verified_at as "emailVerifiedAt", u.invited_at as "invitedAt", u.created_at as "createdAt", u.deleted_at as "deletedAt"
      from unnest(${ids}::bigint[]) with ordinality as page (id, place)
      join app_user u on u.id = page.id and ${isDeleted(areDeleted)}
      order by page.place`.execute(db)
  return rows
}

const matchesUserQuery = ({
  search,
  role,
  activation,
  areDeleted,
}: UserQuery): RawBuilder<unknown> =>
  sql.join(
    [
      isDeleted(areDeleted),
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
  const { rows } = await sql<{ ids: number[] }>`
    select array(select u.id from app_user u where ${matchesSearch(search)} order by u.id desc limit ${most}) as ids`.execute(
    db,
  )
  return rows[0]!.ids
}

/** Parts of name or email in any letter case, or the whole id or code. */
function matchesSearch(search: string): RawBuilder<unknown> {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(lower(u.name) like lower(${part}::text) or u.email_key like lower(${part}::text) or ${matchesIdOrCode(search)})`
}

/** A whole id or code, also as a deletion writes it. Listed first, before partial matches of name or email. */
function matchesIdOrCode(search: string): RawBuilder<unknown> {
  const id = /^(?:deleted-)?([1-9]\d{0,14})(?:@deleted\.invalid)?$/i.exec(search)?.[1] ?? null
  return sql`(u.referral_code = upper(${search}::text) or u.id is not distinct from ${id}::bigint)`
}
