import { z } from 'zod'
import { fromDollars } from '#contract/money.ts'
import { choice, dollarsOrNone, email, integerBetween } from '#server/platform/variables.ts'
import type { ValuesOf } from '#server/platform/variables.ts'

/** The first administrator's address that everyone knows: live mode refuses it. */
export const DEFAULT_ADMIN_EMAIL = 'admin@evenpost.local'
const LIVE_ADJUSTMENT_DOLLARS = 1_000
const REGISTRATIONS_PER_DAY = { live: 100, sandbox: 10_000 }

export const ACCOUNT_VARIABLES = {
  ADMIN_EMAIL: email.default(DEFAULT_ADMIN_EMAIL),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  REQUIRE_TWO_FACTOR: choice('no', 'admins', 'all').optional(),
  REQUIRE_PROOF: choice('yes', 'no').default('no'),
  ADJUSTMENT_DAILY_LIMIT: dollarsOrNone.optional(),
  REQUIRE_VERIFIED_EMAIL: choice('yes', 'no').default('no'),
  REGISTRATIONS_PER_DAY: integerBetween(1, 1_000_000).optional(),
}

export const accountConfig = (v: ValuesOf<typeof ACCOUNT_VARIABLES>, mode: 'sandbox' | 'live') => ({
  adminEmail: v.ADMIN_EMAIL,
  adminPassword: v.ADMIN_PASSWORD,
  /** Whose accounts must have a second factor. */
  requireTwoFactor: v.REQUIRE_TWO_FACTOR ?? (mode === 'live' ? 'admins' : 'no'),
  /** Whether calls with `proof` need one. */
  requireProof: mode === 'live' || v.REQUIRE_PROOF === 'yes',
  /** Whether a user must verify their address before money is added. */
  requireVerifiedEmail: mode === 'live' || v.REQUIRE_VERIFIED_EMAIL === 'yes',
  /** Most new accounts from one network in 24 hours. */
  registrationsPerDay: v.REGISTRATIONS_PER_DAY ?? REGISTRATIONS_PER_DAY[mode],
  /** Cents that one administrator may adjust in 24 hours without a second one; null without a limit. */
  adjustmentDailyLimit:
    v.ADJUSTMENT_DAILY_LIMIT === undefined
      ? mode === 'live'
        ? fromDollars(LIVE_ADJUSTMENT_DOLLARS)
        : null
      : v.ADJUSTMENT_DAILY_LIMIT,
})
