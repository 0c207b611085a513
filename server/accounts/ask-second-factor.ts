import { randomBytes } from 'node:crypto'
import type { SecondFactorAsked } from '#contract/accounts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { insertOwnAuditEntry } from './audit-store.ts'
import { toAuditOrigin } from './audit.ts'
import type { RequestOrigin } from './audit.ts'
import { insertChallenge } from './login-challenge-store.ts'
import { passkeyChallengeFor, passkeySite, requestOptions } from './passkeys.ts'
import { secondMethods } from './second-factor-rules.ts'
import { selectFactors, selectPasskeys } from './second-factor-store.ts'
import type { AccountsContext } from './service.ts'
import { sha256 } from './sessions.ts'

/** How long the second step of a sign-in may take. */
export const CHALLENGE_MINUTES = 5

/**
 * For a user whose password was right: what is asked next, or null for one without a factor. The
 * challenge ends with the password.
 */
export async function askSecondFactor(
  ctx: AccountsContext,
  tx: Tx,
  user: { id: number; passwordHash: string },
  origin: RequestOrigin,
): Promise<SecondFactorAsked | null> {
  const factors = await selectFactors(tx, user.id)
  if (factors.length === 0) return null
  const challenge = randomBytes(32).toString('base64url')
  await insertChallenge(tx, {
    hash: sha256(challenge),
    userId: user.id,
    kind: 'login',
    minutes: CHALLENGE_MINUTES,
    passwordMark: sha256(user.passwordHash),
  })
  await insertOwnAuditEntry(tx, user.id, 'second-factor-asked', toAuditOrigin(origin))
  const site = passkeySite(ctx.config.publicUrl)
  const passkeys = site.problem ? [] : await selectPasskeys(tx, user.id, site.host)
  const kinds = factors.map(({ kind }) => kind).filter(kind => kind !== 'passkey')
  if (passkeys.length === 0) return { challenge, methods: secondMethods(kinds) }
  return {
    challenge,
    methods: secondMethods([...kinds, 'passkey']),
    passkeyOptions: requestOptions(site, passkeyChallengeFor(challenge), passkeys, 'preferred'),
  }
}
