import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isUniqueViolation } from '#server/platform/database/database.ts'

export type LinkPurpose = 'verify' | 'change' | 'undo'

export type NewLink = {
  tokenHash: Buffer
  userId: number
  purpose: LinkPurpose
  changeId: number | null
  emailKey: string
  hours: number
}

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  await tx
    .insertInto('email_link')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      purpose: link.purpose,
      change_id: link.changeId,
      email_key: link.emailKey,
      expires_at: sql<Date>`now() + ${link.hours} * interval '1 hour'`,
    })
    .execute()
}

export type EmailLink = {
  userId: number
  purpose: LinkPurpose
  changeId: number | null
  emailKey: string
  isUsed: boolean
}

/** Undefined for an unknown or expired one. */
export async function findLink(db: Db, tokenHash: Buffer): Promise<EmailLink | undefined> {
  const { rows } = await sql<EmailLink>`
    select user_id as "userId", purpose, change_id as "changeId", email_key as "emailKey", used_at is not null as "isUsed"
      from email_link where token_hash = ${tokenHash} and expires_at > now()`.execute(db)
  return rows[0]
}

/** Ends links of a purpose; a used one still says that it was used. */
export async function markLinksUsed(tx: Tx, userId: number, purpose: LinkPurpose): Promise<void> {
  await sql`
    update email_link set used_at = now() where user_id = ${userId} and purpose = ${purpose} and used_at is null`.execute(
    tx,
  )
}

/**
 * How many links to verify the address the user has got in the last two hours, and whether one of
 * them is valid.
 */
export async function recentVerifyLinks(
  tx: Tx,
  userId: number,
  emailKey: string,
): Promise<{ recent: number; hasValid: boolean }> {
  const { rows } = await sql<{ recent: number; hasValid: boolean }>`
    select count(*) filter (where created_at > now() - interval '2 hours')::int as recent,
           coalesce(bool_or(used_at is null and expires_at > now()), false) as "hasValid"
      from email_link where user_id = ${userId} and purpose = 'verify' and email_key = ${emailKey}`.execute(
    tx,
  )
  return rows[0]!
}

export type EmailChange = {
  id: number
  oldEmail: string | null
  oldEmailKey: string | null
  newEmail: string
  state: 'open' | 'done' | 'canceled' | 'undone'
  sessionId: number
  createdAt: Date
}

const CHANGE = sql`id, old_email as "oldEmail", old_email_key as "oldEmailKey", new_email as "newEmail", state,
  session_id as "sessionId", created_at as "createdAt"`

/** Ends an open change of the user. `old`: null when it was never verified. Returns the id. */
export async function insertChange(
  tx: Tx,
  userId: number,
  old: { email: string; key: string } | null,
  newEmail: string,
  sessionId: number,
): Promise<number> {
  await cancelOpenChange(tx, userId)
  const { id } = await tx
    .insertInto('email_change')
    .values({
      user_id: userId,
      old_email: old?.email ?? null,
      old_email_key: old?.key ?? null,
      new_email: newEmail,
      session_id: sessionId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Whether there was one. */
export async function cancelOpenChange(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql`
    update email_change set state = 'canceled' where user_id = ${userId} and state = 'open' returning id`.execute(
    tx,
  )
  await markLinksUsed(tx, userId, 'change')
  return rows.length > 0
}

export async function findChange(db: Db, id: number): Promise<EmailChange | undefined> {
  const { rows } = await sql<EmailChange>`
    select ${CHANGE} from email_change where id = ${id}`.execute(db)
  return rows[0]
}

/** The change that waits for its link, of at most `hours` ago. */
export async function findOpenChange(
  db: Db,
  userId: number,
  hours: number,
): Promise<EmailChange | undefined> {
  const { rows } = await sql<EmailChange>`
    select ${CHANGE} from email_change
      where user_id = ${userId} and state = 'open' and created_at > now() - ${hours} * interval '1 hour'`.execute(
    db,
  )
  return rows[0]
}

export async function recordChangeDone(tx: Tx, id: number): Promise<void> {
  await sql`update email_change set state = 'done', done_at = now() where id = ${id}`.execute(tx)
}

/** Whether the user had this address and gave it up within the last `hours`. */
export async function mayReturnTo(
  tx: Tx,
  userId: number,
  oldEmailKey: string,
  hours: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from email_change
      where user_id = ${userId} and old_email_key = ${oldEmailKey} and state = 'done'
        and done_at > now() - ${hours} * interval '1 hour'`.execute(tx)
  return rows.length > 0
}

/** All changes of the user are over, and none can be undone any more. */
export async function recordUndone(tx: Tx, userId: number): Promise<void> {
  await sql`update email_change set state = 'undone' where user_id = ${userId}`.execute(tx)
  await sql`
    update email_link set used_at = now() where user_id = ${userId} and used_at is null`.execute(tx)
}

/** Erases links and changes, also addresses that the user gave up. */
export async function deleteEmailRecords(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('email_link').where('user_id', '=', userId).execute()
  await tx.deleteFrom('email_change').where('user_id', '=', userId).execute()
}

/** Deletes what has been over for `days`. */
export async function deleteOldEmailRecords(tx: Tx, days: number): Promise<void> {
  await sql`delete from email_link where expires_at < now() - ${days} * interval '1 day'`.execute(
    tx,
  )
  await sql`
    delete from email_change
      where greatest(created_at, done_at) < now() - ${days} * interval '1 day'`.execute(tx)
}

/** Hours in which a change can be undone. The old address is kept for its user meanwhile. */
export const UNDO_HOURS = 24

/**
 * Whether an account has this address, or can still return to it. Committed changes count: after an
 * insert or update of the same address, which waits for other transactions, the answer is final.
 */
export async function isAddressReserved(
  db: Db,
  emailKey: string,
  exceptUserId: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from email_change
      where old_email_key = ${emailKey} and state = 'done' and user_id <> ${exceptUserId}
        and done_at > now() - ${UNDO_HOURS} * interval '1 hour'`.execute(db)
  return rows.length > 0
}

/**
 * Sets the address; false when another account has it or can still return to it. Then the
 * transaction is lost, and the caller must throw.
 */
export async function setEmail(
  tx: Tx,
  userId: number,
  { email, key, isVerified }: { email: string; key: string; isVerified: boolean },
): Promise<boolean> {
  if (await isAddressReserved(tx, key, userId)) return false
  try {
    await sql`
      update app_user set email = ${email}, email_key = ${key}, email_verified_at = ${isVerified ? sql`now()` : sql`null`}
        where id = ${userId}`.execute(tx)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return false
  }
  return !(await isAddressReserved(tx, key, userId))
}

/**
 * Customers of more than `days` ago who have not verified their address and were not signed in since. The audit tells also of a
 * session that has ended, and of a correction of the address, which ends all.
 */
export async function selectUnverified(
  db: Db,
  afterId: number,
  days: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from app_user u
      where email_verified_at is null and deleted_at is null and role <> 'admin' and id > ${afterId}
        and greatest(created_at, invited_at) < now() - ${days} * interval '1 day'
        and not exists (select 1 from login_session s
          where s.user_id = u.id and s.last_seen_at > now() - ${days} * interval '1 day')
        and not exists (select 1 from audit_entry e
          where e.subject_id = u.id and e.action in ('login', 'logout', 'email-corrected')
            and e.created_at > now() - ${days} * interval '1 day')
      order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
