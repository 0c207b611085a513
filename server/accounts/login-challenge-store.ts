import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type ChallengeKind = 'login' | 'proof' | 'totp' | 'passkey' | 'passkey-login'

export type NewChallenge = {
  hash: Buffer
  userId: number
  kind: ChallengeKind
  minutes: number
  passwordMark?: Buffer
  sealedSecret?: Buffer
}

/**
 * Most open challenges of a user; the oldest end first. Of sign-ins there are many, so that one who
 * has the password cannot end those of its owner. Used ones stay until they expire.
 */
const MAX_OPEN: Record<ChallengeKind, number | null> = {
  login: 1_000,
  proof: 20,
  totp: 1,
  passkey: 20,
  'passkey-login': null,
}

/**
 * Expired challenges of the user are deleted too. False when the hash is taken: the challenge has
 * been used.
 */
export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<boolean> {
  const { hash, userId, kind, minutes, passwordMark, sealedSecret } = challenge
  await sql`
    delete from login_challenge where user_id = ${userId} and (expires_at <= now() or hash in (
      select hash from login_challenge where user_id = ${userId} and kind = ${kind} and ${MAX_OPEN[kind]}::int is not null
        order by created_at desc offset ${(MAX_OPEN[kind] ?? 1) - 1}))`.execute(tx)
  const { rows } = await sql`
    insert into login_challenge (hash, user_id, kind, password_mark, sealed_secret, expires_at)
      values (${hash}, ${userId}, ${kind}, ${passwordMark ?? null}, ${sealedSecret ?? null},
        now() + ${minutes} * interval '1 minute')
      on conflict do nothing returning kind`.execute(tx)
  return rows.length > 0
}

export type OpenChallenge = { userId: number; passwordMark: Buffer | null }

export async function findChallenge(
  db: Db,
  kind: ChallengeKind,
  hash: Buffer,
): Promise<OpenChallenge | undefined> {
  const { rows } = await sql<OpenChallenge>`
    select user_id as "userId", password_mark as "passwordMark" from login_challenge
      where hash = ${hash} and kind = ${kind} and expires_at > now()`.execute(db)
  return rows[0]
}

/** Uses a challenge up; false when it is unknown, used, expired or another user's. */
export async function takeChallenge(
  tx: Tx,
  kind: ChallengeKind,
  hash: Buffer,
  userId: number,
): Promise<boolean> {
  const { rows } = await sql`
    delete from login_challenge where hash = ${hash} and kind = ${kind} and user_id = ${userId} and expires_at > now()
      returning kind`.execute(tx)
  return rows.length > 0
}

/** The sealed secret of an authenticator app that is being set up. */
export async function findPendingTotp(
  db: Db,
  userId: number,
  hash: Buffer,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealedSecret: Buffer }>`
    select sealed_secret as "sealedSecret" from login_challenge
      where hash = ${hash} and user_id = ${userId} and kind = 'totp' and expires_at > now()`.execute(
    db,
  )
  return rows[0]?.sealedSecret
}

export async function deletePendingTotp(tx: Tx, userId: number): Promise<void> {
  await sql`delete from login_challenge where user_id = ${userId} and kind = 'totp'`.execute(tx)
}
