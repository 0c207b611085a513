/** The limit of an account's wrong codes, for sign-ins and proofs together. */
import { auditThrottledSignIn, auditWrongFactor, isTooManyError, isWithinLimit } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { knownDeviceOf } from './known-browsers.ts'
import { codesGuessedMail } from './mails.ts'
import type { CodesGuessedAt } from './mails.ts'
import type { AccountsContext } from './service.ts'
import { passwordHashOf } from './store.ts'

/**
 * Wrong codes of one account: ten, then one every six minutes. Three of a million codes are valid
 * at a time, so guesses with a stolen password or session succeed in one of 1,400 days. Passkeys and
 * recovery codes cannot be guessed and are not limited here.
 */
const CODES = 10
const CODES_SECONDS = 3600

type User = { id: number; email: string }

/**
 * Counts a code before its verification and returns the limit's key, which a right code resets.
 * Browsers that the user knows share a limit of their own: a reset link makes any number of them
 * known, and each must not bring ten codes more. Throws Refusal 429.
 */
export async function countCode(
  ctx: AccountsContext,
  user: User,
  guessedAt: CodesGuessedAt,
  origin: RequestOrigin,
): Promise<string> {
  const passwordHash = (await passwordHashOf(ctx.database.db, user.id)) ?? ''
  const isKnown = knownDeviceOf(ctx, origin.cookies, { id: user.id, passwordHash }) !== null
  const key = `second:${isKnown ? 'known' : 'account'}:${user.id}`
  try {
    await ctx.limits.countAttempt(key, CODES, CODES_SECONDS)
  } catch (error) {
    if (isTooManyError(error)) {
      if (guessedAt === 'sign-in') await auditThrottledSignIn(ctx, user.id, origin)
      else await auditWrongFactor(ctx, user.id, 'proof-denied', { method: 'code' })
      await warnOfGuesses(ctx, user, guessedAt)
    }
    throw error
  }
  return key
}

/** Once a day. */
async function warnOfGuesses(
  ctx: AccountsContext,
  { id: userId, email }: User,
  guessedAt: CodesGuessedAt,
): Promise<void> {
  if (!(await isWithinLimit(ctx, `noted:second:${userId}`, 1, 24 * 3600))) return
  const mail = codesGuessedMail(email, `${ctx.config.publicUrl}/forgot-password`, guessedAt)
  await ctx.database.tx(tx =>
    ctx.mailer.enqueue(tx, { kind: 'second-factor-guessed', userId, ...mail }),
  )
}
