import { sql } from 'kysely'
import type { Activation, Role } from '#contract/accounts.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type UserRecord = {
  id: number
  name: string
  email: string
  role: Role
  activation: Activation
  referralCode: string
  referredBy: number | null
  avatar: string | null
  /** Null until a link mailed to the address was opened. */
  emailVerifiedAt: Date | null
  /** Null, or since when an administrator's invitation waits for its password. */
  invitedAt: Date | null
  createdAt: Date
  deletedAt: Date | null
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
  'email_verified_at as emailVerifiedAt',
  'invited_at as invitedAt',
  'created_at as createdAt',
  'deleted_at as deletedAt',
] as const

export type NewUser = {
  name: string
  email: string
  emailKey: string
  passwordHash: string
  referralCode: string
  referredBy: number | null
  role: Role
  emailVerifiedAt?: Date
  invitedAt?: Date
}

/** Undefined if the email or the referral code is taken. */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRecord | undefined> {
  return tx
    .insertInto('app_user')
    .values({
      name: user.name,
      email: user.email,
      email_key: user.emailKey,
      password_hash: user.passwordHash,
      role: user.role,
      referral_code: user.referralCode,
      referred_by: user.referredBy,
      avatar: null,
      email_verified_at: user.emailVerifiedAt ?? null,
      invited_at: user.invitedAt ?? null,
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

export async function passwordHashOf(db: Db, id: number): Promise<string | null> {
  const row = await existingUsers(db)
    .select('password_hash as passwordHash')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}

/** Locks a user until the transaction ends; orders of the user can still be inserted. */
export const lockUser = (tx: Tx, id: number): Promise<UserRecord | undefined> =>
  existingUsers(tx).select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Deleted or not. */
export const lockAnyUser = (tx: Tx, id: number): Promise<UserRecord | undefined> =>
  tx.selectFrom('app_user').select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Whether a user exists; they cannot be deleted before the transaction ends. Waits for a deletion
 * in progress.
 */
export async function userExists(tx: Tx, id: number): Promise<boolean> {
  return (
    (await existingUsers(tx).select('id').where('id', '=', id).forKeyShare().executeTakeFirst())
    !== undefined
  )
}

/**
 * Ids of active administrators, locked in one order, so that two of them cannot resign at the same
 * time. An invited one without a password does not count.
 */
export async function lockAdministrators(tx: Tx): Promise<number[]> {
  const rows = await existingUsers(tx)
    .select('id')
    .where('role', '=', 'admin')
    .where('activation', '=', 'allow')
    .where('invited_at', 'is', null)
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

/** Ids of one page, and how many there are on all. */
export type IdPage = { ids: number[]; total: number }

export async function selectInvited(
  db: Db,
  inviterId: number,
  offset: number,
  limit: number,
): Promise<IdPage> {
  const invited = existingUsers(db).where('referred_by', '=', inviterId)
  const users = await invited
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await invited
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { ids: users.map(({ id }) => id), total }
}

/** Whether `id` equals `ofId` or is above it in the chain of inviters. */
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

/** Serializes changes of inviters, so that two users cannot become each other's inviter. */
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
  emailVerifiedAt?: Date | null
  invitedAt?: Date | null
}

/** A taken referral code violates `app_user_referral_code_key`. */
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
      email_verified_at: change.emailVerifiedAt,
      invited_at: change.invitedAt,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Erases a user's data; the row stays, because orders and the books refer to it. The placeholder is
 * neither a valid email (no @) nor a valid code (codes are upper case).
 */
export async function anonymizeUser(tx: Tx, id: number): Promise<void> {
  const placeholder = `deleted-${id}`
  await tx
    .updateTable('app_user')
    .set({
      name: 'Deleted user',
      email: `${placeholder}@deleted.invalid`,
      email_key: placeholder,
      password_hash: '-',
      referral_code: placeholder,
      avatar: null,
      email_verified_at: null,
      invited_at: null,
      deleted_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}
