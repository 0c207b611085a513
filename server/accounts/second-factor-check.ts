/** Verifies a code, passkey or recovery code of a user, for a sign-in and for a proof. */
import type { PasskeyAssertion } from '#contract/passkeys.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { factorNoticeMail } from './mails.ts'
import type { FactorNotice } from './mails.ts'
import { passkeySite, verifyAssertion } from './passkeys.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import {
  countRecoveryCodes,
  findPasskey,
  recordPasskeyUse,
  recordTotpUse,
  selectNewestTotps,
  selectTotpFactors,
  takeRecoveryCode,
} from './second-factor-store.ts'
import type { AccountsContext } from './service.ts'
import { acceptedTotpStep } from './totp.ts'

export type GivenFactor = {
  code?: string | undefined
  passkey?: PasskeyAssertion | undefined
  recovery?: string | undefined
}
export type GivenMethod = 'code' | 'passkey' | 'recovery'

/** The one method that is given. Throws 422 for none or several. */
export function givenMethod<Name extends string>(
  given: Partial<Record<Name, unknown>>,
  names: readonly Name[],
): Name {
  const [name, ...others] = names.filter(each => given[each] !== undefined)
  if (name !== undefined && others.length === 0) return name
  throw new Refusal('fields_exclusive', `Send exactly one of ${names.join(', ')}.`)
}

/** Uses the factor up, in the transaction that it opens; false when it is wrong or was used. */
export type FactorUse = (tx: Tx) => Promise<boolean>

/**
 * Prepares the verification of the user's factor; `challenge`: what a passkey has signed. The
 * transaction must hold the user's lock.
 */
export async function prepareFactorUse(
  ctx: AccountsContext,
  user: { id: number; email: string },
  given: GivenFactor,
  challenge: string,
): Promise<FactorUse> {
  if (given.passkey) return preparePasskeyUse(ctx, user.id, given.passkey, challenge, 'preferred')
  if (given.recovery !== undefined) {
    const hash = recoveryCodeHash(given.recovery)
    return tx => spendRecoveryCode(ctx, tx, user, hash)
  }
  const code = given.code ?? ''
  return tx => useTotpCode(ctx, tx, user.id, code)
}

/** `userId`: null for a sign-in by passkey alone, where the passkey says who it is. */
export async function preparePasskeyUse(
  ctx: AccountsContext,
  userId: number | null,
  assertion: PasskeyAssertion,
  challenge: string,
  userVerification: 'preferred' | 'required',
): Promise<FactorUse & { userId?: number }> {
  const site = passkeySite(ctx.config.publicUrl)
  const passkey = await findPasskey(ctx.database.db, Buffer.from(assertion.id, 'base64url'))
  if (!passkey || (userId !== null && passkey.userId !== userId)) return async () => false
  const verified = await verifyAssertion(site, challenge, passkey, assertion, userVerification)
  const use: FactorUse = async tx => verified !== null && recordPasskeyUse(tx, passkey.id, verified)
  return Object.assign(use, { userId: passkey.userId })
}

async function useTotpCode(
  ctx: AccountsContext,
  tx: Tx,
  userId: number,
  code: string,
): Promise<boolean> {
  for (const { id, sealedSecret, lastStep } of await selectTotpFactors(tx, userId)) {
    const secret = unsealTotp(ctx, userId, sealedSecret)
    const step = acceptedTotpStep(secret, code, Date.now() / 1000, lastStep)
    if (step !== null) return recordTotpUse(tx, id, step)
  }
  return false
}

const SECRET_PURPOSE = 'totp'
const secretOwner = (userId: number): string => `user:${userId}`

export const sealTotp = (ctx: AccountsContext, userId: number, secret: Buffer): Buffer =>
  ctx.secretKey.seal(SECRET_PURPOSE, secretOwner(userId), secret)

/** Throws 503 when the installation's secret key is another one than at the setup. */
export function unsealTotp(ctx: AccountsContext, userId: number, sealed: Buffer): Buffer {
  try {
    return ctx.secretKey.unseal(SECRET_PURPOSE, secretOwner(userId), sealed)
  } catch (error) {
    ctx.log.error({ err: error, userId }, 'the secret of an authenticator app cannot be decrypted')
    throw new Refusal(
      'factor_unavailable',
      'Codes of authenticator apps cannot be checked: the secret key of this installation has changed. '
        + 'Use a passkey or a recovery code, or ask the operator.',
    )
  }
}

/** Whether one of the newest `limit` secrets of authenticator apps was sealed with another key. */
export async function hasForeignTotp(
  db: Db,
  secretKey: SecretKey,
  limit: number,
): Promise<boolean> {
  const newest = await selectNewestTotps(db, limit)
  return newest.some(({ userId, sealedSecret }) => {
    try {
      secretKey.unseal(SECRET_PURPOSE, secretOwner(userId), sealedSecret)
      return false
    } catch {
      return true
    }
  })
}

async function spendRecoveryCode(
  ctx: AccountsContext,
  tx: Tx,
  user: { id: number; email: string },
  hash: Buffer,
): Promise<boolean> {
  if (!(await takeRecoveryCode(tx, user.id, hash))) return false
  const left = await countRecoveryCodes(tx, user.id)
  await insertOwnAuditEntry(tx, user.id, 'recovery-code-used', { left })
  await mailFactorNotice(ctx, tx, user, 'recovery-code-used')
  return true
}

/** Tells the user, in the transaction of what it is about. */
export const mailFactorNotice = (
  { mailer, config }: Pick<AccountsContext, 'mailer' | 'config'>,
  tx: Tx,
  { id, email }: { id: number; email: string },
  notice: FactorNotice,
): Promise<void> =>
  mailer.enqueue(tx, {
    kind: 'second-factor',
    userId: id,
    ...factorNoticeMail(email, notice, `${config.publicUrl}/forgot-password`),
  })
