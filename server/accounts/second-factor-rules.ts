/** Who needs a second factor, and what can prove a user. Pure. */
import type { Role, SecondMethod } from '#contract/accounts.ts'
import type { FactorKind, ProofMethod } from '#contract/second-factor.ts'

type FactorConfig = { requireTwoFactor: 'no' | 'admins' | 'all' }

/** Whether the installation requires a second factor of users with this role. */
export const mustHaveFactor = ({ requireTwoFactor }: FactorConfig, role: Role): boolean =>
  requireTwoFactor === 'all' || (requireTwoFactor === 'admins' && role === 'admin')

const ORDER: FactorKind[] = ['passkey', 'totp']

/** How a sign-in with these factors continues, the easiest first. A recovery code is the last resort. */
export const secondMethods = (kinds: readonly FactorKind[]): SecondMethod[] => [
  ...ORDER.filter(kind => kinds.includes(kind)),
  'recovery',
]

/** A user with a factor proves it; the password alone would be weaker than the sign-in. */
export const proofMethods = (kinds: readonly FactorKind[]): ProofMethod[] =>
  kinds.length === 0 ? ['password'] : secondMethods(kinds)
