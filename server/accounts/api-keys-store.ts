import { sql } from 'kysely'
import type { Role } from '#contract/accounts.ts'
import type { Scope } from '#contract/keys.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** `spentToday`: null without a limit. */
export type ApiKeyRecord = {
  id: number
  name: string
  last4: string
  scopes: Scope[]
  dailyLimit: Cents | null
  spentToday: Cents | null
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  replacedBy: number | null
}

const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`
const COLUMNS = sql`k.id, k.name, k.last4, k.scopes, k.daily_limit_cents as "dailyLimit",
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.replaced_by as "replacedBy",
  case when k.daily_limit_cents is not null then coalesce((
    select s.cents from api_key_spending s where s.first_id = coalesce(k.first_id, k.id) and s.day = ${TODAY}), 0)::bigint end
    as "spentToday"`
/** A key that was replaced disappears when its grace ends. */
const IS_KEPT = sql`k.revoked_at is null and (k.replaced_by is null or k.expires_at > now())`

const toRecord = (row: ApiKeyRecord): ApiKeyRecord => ({
  ...row,
  dailyLimit: row.dailyLimit === null ? null : cents(row.dailyLimit),
  spentToday: row.spentToday === null ? null : cents(row.spentToday),
})

/** Newest first. */
export async function selectKeys(db: Db, userId: number): Promise<ApiKeyRecord[]> {
  const { rows } = await sql<ApiKeyRecord>`
    select ${COLUMNS} from api_key k where k.user_id = ${userId} and ${IS_KEPT} order by k.id desc`.execute(
    db,
  )
  return rows.map(toRecord)
}

export async function findKey(
  db: Db,
  userId: number,
  id: number,
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await sql<ApiKeyRecord>`
    select ${COLUMNS} from api_key k where k.id = ${id} and k.user_id = ${userId} and ${IS_KEPT}`.execute(
    db,
  )
  return rows.map(toRecord)[0]
}

/** Without those that were replaced. The user is locked. */
export async function countKeys(tx: Tx, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from api_key where user_id = ${userId} and revoked_at is null and replaced_by is null`.execute(
    tx,
  )
  return rows[0]!.n
}

export type NewKey = {
  userId: number
  hash: Buffer
  last4: string
  name: string
  scopes: Scope[]
  dailyLimit: Cents | null
  expiresAt: Date | null
}

/** Returns the id. */
export async function insertKey(tx: Tx, key: NewKey): Promise<number> {
  const { id } = await tx
    .insertInto('api_key')
    .values({
      user_id: key.userId,
      key_hash: key.hash,
      name: key.name,
      last4: key.last4,
      scopes: key.scopes,
      daily_limit_cents: key.dailyLimit,
      created_by: key.userId,
      expires_at: key.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Inserts the successor of a key, with the same name, scopes, limit, lifetime and spending, and lets
 * the old one end after `graceHours`; a key that the old one has replaced ends at once. Returns the
 * id. The user is locked.
 */
export async function replaceKey(
  tx: Tx,
  old: number,
  successor: { hash: Buffer; last4: string },
  graceHours: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with next as (
      insert into api_key (user_id, key_hash, name, last4, scopes, daily_limit_cents, created_by, expires_at, first_id)
      select user_id, ${successor.hash}, name, ${successor.last4}, scopes, daily_limit_cents, user_id,
          now() + (expires_at - created_at), coalesce(first_id, id)
        from api_key where id = ${old}
      returning id),
    before as (
      update api_key set revoked_at = now() where replaced_by = ${old} and revoked_at is null)
    update api_key
      set replaced_by = next.id, expires_at = least(expires_at, now() + ${graceHours} * interval '1 hour')
      from next where api_key.id = ${old}
      returning next.id`.execute(tx)
  return rows[0]!.id
}

/** Keeps the row, since labels and audit entries refer to it. */
export async function revokeKey(tx: Tx, id: number): Promise<void> {
  await sql`update api_key set revoked_at = now() where id = ${id} and revoked_at is null`.execute(
    tx,
  )
}

export async function revokeKeysOf(tx: Tx, userId: number): Promise<void> {
  await sql`update api_key set revoked_at = now(), name = 'Deleted key' where user_id = ${userId}`.execute(
    tx,
  )
}

/** After a restore. Returns how many. */
export async function revokeAllKeys(tx: Tx): Promise<number> {
  const { numAffectedRows } =
    await sql`update api_key set revoked_at = now() where revoked_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** `problem`: why it opens nothing. `isStale`: `last_used_at` is due for an update. */
export type PresentedKey = {
  id: number
  userId: number
  role: Role
  name: string
  scopes: Scope[]
  problem: 'user' | 'deleted' | 'replaced' | 'expired' | null
  isStale: boolean
}

/** One query, with the user, so that blocking and deleting take effect at once. */
export async function findPresentedKey(db: Db, hash: Buffer): Promise<PresentedKey | undefined> {
  const { rows } = await sql<PresentedKey>`
    select k.id, k.user_id as "userId", u.role, k.name, k.scopes,
        case when u.activation <> 'allow' or u.deleted_at is not null then 'user'
          when k.revoked_at is not null then 'deleted'
          when k.expires_at <= now() then case when k.replaced_by is null then 'expired' else 'replaced' end end as problem,
        k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as "isStale"
      from api_key k join app_user u on u.id = k.user_id
      where k.key_hash = ${hash}`.execute(db)
  return rows[0]
}

/** Writes at most once a minute per key. */
export async function touchKey(db: Db, id: number): Promise<void> {
  await sql`update api_key set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(
    db,
  )
}

/** What a key orders, or ordered and did not get. `at`: as it is stored with the order or batch. */
export type KeySpending = { keyId: number; at: Date; amount: Cents }

/**
 * Adds to what the key has ordered for on that day. Returns false, and adds nothing, when that is
 * beyond its limit. A key without a limit is not counted. The user's balance is locked.
 */
export async function addSpending(tx: Tx, { keyId, at, amount }: KeySpending): Promise<boolean> {
  const { rows } = await sql<{ isWithin: boolean }>`
    with k as (
      select coalesce(first_id, id) as first_id, daily_limit_cents as most, (${at}::timestamptz at time zone 'UTC')::date as day
        from api_key where id = ${keyId}),
    cleared as (
      delete from api_key_spending s using k where s.first_id = k.first_id and s.day < k.day - 1),
    added as (
      insert into api_key_spending as s (first_id, day, cents)
        select first_id, day, ${amount}::bigint from k where most >= ${amount}::bigint
      on conflict (first_id, day) do update
        set cents = s.cents + excluded.cents
        where s.cents + excluded.cents <= (select most from k)
      returning 1)
    select k.most is null or exists (select from added) as "isWithin" from k`.execute(tx)
  return rows[0]?.isWithin ?? false
}

/** Those of the keys that have no daily limit. */
export async function selectUnlimitedKeys(db: Db, keyIds: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from api_key where id = any(${arrayOf('bigint', keyIds)}) and daily_limit_cents is null`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** What the key may still order for today; null without a limit. */
export async function selectAllowance(
  db: Db,
  keyId: number,
): Promise<{ limit: Cents; left: Cents } | null> {
  const { rows } = await sql<{ limit: number | null; left: number }>`
    select k.daily_limit_cents as limit, greatest(0, k.daily_limit_cents - coalesce(s.cents, 0))::bigint as left
      from api_key k
      left join api_key_spending s on s.first_id = coalesce(k.first_id, k.id) and s.day = ${TODAY}
      where k.id = ${keyId}`.execute(db)
  const [row] = rows
  return row?.limit ? { limit: cents(row.limit), left: cents(row.left) } : null
}

/** Takes it off what the keys have ordered for on that day, if it is still counted. */
export async function subtractSpending(tx: Tx, returned: KeySpending[]): Promise<void> {
  await sql`
    update api_key_spending s set cents = greatest(0, s.cents - r.cents)
      from (
        select coalesce(k.first_id, k.id) as first_id, (g.at at time zone 'UTC')::date as day, sum(g.cents)::bigint as cents
          from unnest(${returned.map(r => r.keyId)}::bigint[], ${returned.map(r => r.at)}::timestamptz[],
            ${returned.map(r => r.amount)}::bigint[]) as g (key_id, at, cents)
          join api_key k on k.id = g.key_id
          group by 1, 2) r
      where s.first_id = r.first_id and s.day = r.day`.execute(tx)
}
