import { sql } from 'kysely'
import type { Activation, Role } from '#contract/accounts.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** A user as the house knows him; his money is the ledger's. */
export type UserRecord = {
  id: number
  name: string
  email: string
  role: Role
  activation: Activation
  referralCode: string
  referredBy: number | null
  avatar: string | null
  createdAt: Date
}

const COLUMNS = [
  'id',
  'name',
  'email',
  'role',
  'activation',
  'referral_code as referralCode',
  'referred_by as referredBy',
  'avatar',
  'created_at as createdAt',
] as const

export type NewUser = {
  name: string
  email: string
  emailKey: string
  passwordHash: string
  referralCode: string
  referredBy: number | null
  role: Role
}

/** Writes a new user; undefined when his address or his code is somebody's already. */
export async function insertUser(tx: Tx, member: NewUser): Promise<UserRecord | undefined> {
  return tx
    .insertInto('app_user')
    .values({
      name: member.name,
      email: member.email,
      email_key: member.emailKey,
      password_hash: member.passwordHash,
      role: member.role,
      referral_code: member.referralCode,
      referred_by: member.referredBy,
      avatar: null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

const existingUsers = (db: Db) => db.selectFrom('app_user').where('deleted_at', 'is', null)

export async function isEmailTaken(db: Db, emailKey: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('app_user')
      .select('id')
      .where('email_key', '=', emailKey)
      .executeTakeFirst()) !== undefined
  )
}

export const findUser = (db: Db, id: number): Promise<UserRecord | undefined> =>
  existingUsers(db).select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const findUserByReferralCode = (db: Db, code: string): Promise<UserRecord | undefined> =>
  existingUsers(db).select(COLUMNS).where('referral_code', '=', code).executeTakeFirst()

export const findUserForLogin = (
  db: Db,
  emailKey: string,
): Promise<(UserRecord & { passwordHash: string }) | undefined> =>
  existingUsers(db)
    .select(COLUMNS)
    .select('password_hash as passwordHash')
    .where('email_key', '=', emailKey)
    .executeTakeFirst()

/** What is kept of a user's password; null when there is no such user. */
export async function passwordHashOf(db: Db, id: number): Promise<string | null> {
  const row = await existingUsers(db)
    .select('password_hash as passwordHash')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}

/** A user, locked until the transaction ends; orders that point to him may still be written. */
export const lockUser = (tx: Tx, id: number): Promise<UserRecord | undefined> =>
  existingUsers(tx).select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Whether a user is there; nobody deletes him then before the transaction ends. Waits for one who is being deleted. */
export async function userExists(tx: Tx, id: number): Promise<boolean> {
  return (
    (await existingUsers(tx).select('id').where('id', '=', id).forKeyShare().executeTakeFirst())
    !== undefined
  )
}

/** Administrators who may sign in, all of them locked in one order: two who leave at once cannot both count on the other. */
export async function lockAdministrators(tx: Tx): Promise<number[]> {
  const rows = await existingUsers(tx)
    .select('id')
    .where('role', '=', 'admin')
    .where('activation', '=', 'allow')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(row => row.id)
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  return (
    (await existingUsers(db).select('id').where('role', '=', 'admin').limit(1).executeTakeFirst())
    !== undefined
  )
}

/** Some of the users, and how many there are in all. */
export type UserPage = { users: UserRecord[]; total: number }

/** A page of the users whom `inviterId` brought, newest first. */
export async function selectInvited(
  db: Db,
  inviterId: number,
  offset: number,
  limit: number,
): Promise<UserPage> {
  const invited = existingUsers(db).where('referred_by', '=', inviterId)
  const members = await invited
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await invited
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { users: members, total }
}

/** Whether `id` is `ofId` himself or stands above him in the chain of who invited whom. */
export async function isInviterAbove(db: Db, id: number, ofId: number): Promise<boolean> {
  const { rows } = await sql`
    with recursive above as (
      select id, referred_by from app_user where id = ${ofId}
      union
      select u.id, u.referred_by from app_user u join above a on u.id = a.referred_by
    )
    select 1 from above where id = ${id}`.execute(db)
  return rows.length > 0
}

/** One change of who invited whom at a time, so that two users cannot each become the other's inviter. */
export async function lockInvitations(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('evenpost invitations'))`.execute(tx)
}

export type UserUpdate = {
  name?: string
  role?: Role
  activation?: Activation
  referredBy?: number
  passwordHash?: string
  referralCode?: string
}

/** Throws a violation of `app_user_referral_code_key` for a code that is somebody's. */
export async function updateUser(tx: Tx, id: number, change: UserUpdate): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({
      name: change.name,
      role: change.role,
      activation: change.activation,
      referred_by: change.referredBy,
      password_hash: change.passwordHash,
      referral_code: change.referralCode,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Forgets who a user was; the row stays, because his orders and the books point to it. What stands for his address and his code can
 * be nobody's: an address has an @, and codes are kept in capitals.
 */
export async function anonymizeUser(tx: Tx, id: number): Promise<void> {
  const gone = `deleted-${id}`
  await tx
    .updateTable('app_user')
    .set({
      name: 'Deleted user',
      email: `${gone}@deleted.invalid`,
      email_key: gone,
      password_hash: '-',
      referral_code: gone,
      avatar: null,
      deleted_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}
