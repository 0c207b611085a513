import { sql } from 'kysely'
import type { FactorKind } from '#contract/second-factor.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type FactorRecord = {
  id: number
  kind: FactorKind
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  backedUp: boolean
}

const COLUMNS = [
  'id',
  'kind',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'backed_up as backedUp',
] as const

export const selectFactors = (db: Db, userId: number): Promise<FactorRecord[]> =>
  db
    .selectFrom('second_factor')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

export type TotpFactor = { id: number; sealedSecret: Buffer; lastStep: number }

export async function selectTotpFactors(db: Db, userId: number): Promise<TotpFactor[]> {
  const { rows } = await sql<TotpFactor>`
    select id, sealed_secret as "sealedSecret", last_step as "lastStep" from second_factor
      where user_id = ${userId} and kind = 'totp' order by id`.execute(db)
  return rows
}

export async function selectNewestTotps(
  db: Db,
  limit: number,
): Promise<{ userId: number; sealedSecret: Buffer }[]> {
  const { rows } = await sql<{ userId: number; sealedSecret: Buffer }>`
    select user_id as "userId", sealed_secret as "sealedSecret" from second_factor
      where kind = 'totp' order by id desc limit ${limit}`.execute(db)
  return rows
}

/** `counter`: how often it says it has signed; 0 for one that is synchronized between devices. */
export type PasskeyFactor = {
  id: number
  userId: number
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
}

const PASSKEY = sql`id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter, transports`

/** `host`: passkeys of another one cannot be used here. */
export async function selectPasskeys(
  db: Db,
  userId: number,
  host: string,
): Promise<PasskeyFactor[]> {
  const { rows } = await sql<PasskeyFactor>`
    select ${PASSKEY} from second_factor where user_id = ${userId} and kind = 'passkey' and host = ${host} order by id`.execute(
    db,
  )
  return rows
}

export async function findPasskey(
  db: Db,
  credentialId: Buffer,
): Promise<PasskeyFactor | undefined> {
  const { rows } = await sql<PasskeyFactor>`
    select ${PASSKEY} from second_factor where credential_id = ${credentialId}`.execute(db)
  return rows[0]
}

export async function insertTotp(
  tx: Tx,
  factor: { userId: number; name: string; sealedSecret: Buffer; lastStep: number },
): Promise<FactorRecord> {
  return tx
    .insertInto('second_factor')
    .values({
      user_id: factor.userId,
      kind: 'totp',
      name: factor.name,
      sealed_secret: factor.sealedSecret,
      last_step: factor.lastStep,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export type NewPasskey = Omit<PasskeyFactor, 'id'> & {
  name: string
  host: string
  backedUp: boolean
}

/** Undefined when the passkey is registered already. */
export async function insertPasskey(
  tx: Tx,
  passkey: NewPasskey,
): Promise<FactorRecord | undefined> {
  return tx
    .insertInto('second_factor')
    .values({
      user_id: passkey.userId,
      kind: 'passkey',
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      host: passkey.host,
      backed_up: passkey.backedUp,
    })
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** False when the step, or a later one, was accepted meanwhile. */
export async function recordTotpUse(tx: Tx, id: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set last_step = ${step}, last_used_at = now() where id = ${id} and last_step < ${step} returning id`.execute(
    tx,
  )
  return rows.length > 0
}

/** False when it was removed meanwhile, or a higher counter was seen. */
export async function recordPasskeyUse(
  tx: Tx,
  id: number,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set counter = ${counter}, backed_up = ${backedUp}, last_used_at = now()
      where id = ${id} and (counter < ${counter} or counter = 0) returning id`.execute(tx)
  return rows.length > 0
}

export async function renameFactor(
  tx: Tx,
  userId: number,
  id: number,
  name: string,
): Promise<void> {
  await tx
    .updateTable('second_factor')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteFactor(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom('second_factor').where('id', '=', id).where('user_id', '=', userId).execute()
}

/** Factors, recovery codes and open challenges of a user. Returns the number of factors. */
export async function deleteAllFactors(tx: Tx, userId: number): Promise<number> {
  await tx.deleteFrom('login_challenge').where('user_id', '=', userId).execute()
  await deleteRecoveryCodes(tx, userId)
  const { numDeletedRows } = await tx
    .deleteFrom('second_factor')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function replaceRecoveryCodes(
  tx: Tx,
  userId: number,
  hashes: Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  await tx
    .insertInto('recovery_code')
    .values(hashes.map(code_hash => ({ code_hash, user_id: userId })))
    .execute()
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

/** False for a wrong or used code. */
export async function takeRecoveryCode(tx: Tx, userId: number, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
