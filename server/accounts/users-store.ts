/** The administrators' list of users: searched, filtered, sorted and cut into pages by the database. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Activation, Role, UserSort } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { UserRecord, UserPage } from './store.ts'

/** What is looked for; null: all. */
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
const BY_MONEY: readonly UserSort[] = ['balance', 'totalDeposit', 'totalSpent']
const WALLETS = sql`
  join account aa on aa.owner_id = u.id and aa.kind = 'available' join balance available on available.account_id = aa.id
  join account ah on ah.owner_id = u.id and ah.kind = 'held' join balance held on held.account_id = ah.id`

/**
 * A page of users, and how many there are in all. Equal ones stand by their ids, so that nobody is on two pages. The wallets are
 * joined only where they decide the order: of 10,000 users any page then takes some 20 ms.
 */
export async function selectUsers(db: Db, wanted: UserQuery): Promise<UserPage> {
  const namedFirst = wanted.search === null ? sql`` : sql`${matchesIdOrCode(wanted.search)} desc,`
  const direction = wanted.descending ? sql`desc` : sql`asc`
  const { rows: members } = await sql<UserRecord>`
    select u.id, u.name, u.email, u.role, u.activation, u.referral_code as "referralCode", u.referred_by as "referredBy", u.avatar,
           u.created_at as "createdAt"
      from app_user u ${BY_MONEY.includes(wanted.sort) ? WALLETS : sql``}
      where ${matchesUserQuery(wanted)}
      order by ${namedFirst} ${SORTED_BY[wanted.sort]} ${direction}, u.id ${direction}
      limit ${wanted.limit} offset ${wanted.offset}`.execute(db)
  const {
    rows: [counted],
  } = await sql<{
    total: number
  }>`select count(*) as total from app_user u where ${matchesUserQuery(wanted)}`.execute(db)
  return { users: members, total: counted!.total }
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

/** Parts of name and address in any letter case, or named. */
function matchesSearch(search: string): RawBuilder<unknown> {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(lower(u.name) like lower(${part}::text) or u.email_key like lower(${part}::text) or ${matchesIdOrCode(search)})`
}

/** Whether somebody's whole id or whole code is looked for: he comes first, before those who have it somewhere in their address. */
function matchesIdOrCode(search: string): RawBuilder<unknown> {
  const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : null
  return sql`(u.referral_code = upper(${search}::text) or u.id is not distinct from ${id}::bigint)`
}
