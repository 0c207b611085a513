/** Limits of wrong passwords: docs/decisions/0033-strangers-slow-strangers.md. */
import { createHash } from 'node:crypto'
import type { Refusal } from '#server/platform/http/refusal.ts'
import type { RequestOrigin } from './audit.ts'
import { isTooManyError, isWithinLimit } from './audit.ts'
import { knownDeviceOf, knownNetworkOf } from './known-browsers.ts'
import type { AccountsContext } from './service.ts'

/** Seconds for ten wrong attempts; after them one attempt becomes free every 90 seconds. */
export const QUARTER_HOUR = 15 * 60
export const MAX_ATTEMPTS = 10

/**
 * Attempts that networks without a recent failure may take in advance from an account's limit, and
 * how many of them one network has: three, then one an hour. 40 networks repay what they take.
 */
const ADVANCE = 120
const ADVANCE_BY_NETWORK = 3
const ADVANCE_SECONDS = 3 * 3600

type Limit = { key: string; max: number; seconds: number }

export type SignInAttempt = {
  /** Throws Refusal 429. */
  check(): Promise<void>
  countFailure(): Promise<void>
}

/**
 * The limits that count for an attempt. A known browser has its own; a network from which the user
 * has signed in has its own per account. All others share the account's, and each network has some
 * attempts of its own when strangers have used that up. `user`: undefined for an unknown email.
 */
export async function openSignInAttempt(
  ctx: AccountsContext,
  key: string,
  user: { id: number; passwordHash: string } | undefined,
  origin: RequestOrigin,
): Promise<SignInAttempt> {
  const device = user && knownDeviceOf(ctx, origin.cookies, user)
  if (device) return attemptUnder(ctx, [quarterHour(`login:device:${user.id}:${device}`)])
  const byNetwork = quarterHour(`login:address:${origin.network}`)
  // For an unknown email too, so that both take the same time.
  const known = await knownNetworkOf(ctx, user?.id ?? 0, origin)
  if (known) return attemptUnder(ctx, [byNetwork, quarterHour(`login:known:${known}`)])
  return strangersAttempt(ctx, byNetwork, key, origin)
}

const quarterHour = (key: string): Limit => ({ key, max: MAX_ATTEMPTS, seconds: QUARTER_HOUR })

function attemptUnder({ limits }: AccountsContext, all: Limit[]): SignInAttempt {
  return {
    async check() {
      for (const { key, max, seconds } of all) await limits.checkAttempts(key, max, seconds)
    },
    async countFailure() {
      for (const { key, max, seconds } of all) await limits.countAttempt(key, max, seconds)
    },
  }
}

function strangersAttempt(
  ctx: AccountsContext,
  byNetwork: Limit,
  emailKey: string,
  origin: RequestOrigin,
): SignInAttempt {
  const account = quarterHour(loginLimitKey(emailKey))
  const interval = account.seconds / account.max
  const max = MAX_ATTEMPTS + ADVANCE
  // The same count with a longer window: what is taken in advance delays the attempts after it.
  const withAdvance: Limit = { key: account.key, max, seconds: max * interval }
  const share: Limit = {
    key: `login:share:${hashForLimitKey(`${emailKey} ${siteOf(origin.network)}`)}`,
    max: ADVANCE_BY_NETWORK,
    seconds: ADVANCE_SECONDS,
  }
  const refusalBy = (
    { key, max: most, seconds }: Limit,
    longestSeconds = seconds,
  ): Promise<Refusal | null> =>
    ctx.limits.checkAttempts(key, most, seconds, longestSeconds).then(
      () => null,
      (error: unknown) => {
        if (isTooManyError(error)) return error as Refusal
        throw error
      },
    )
  return {
    async check() {
      await attemptUnder(ctx, [byNetwork]).check()
      const full = await refusalBy(account, withAdvance.seconds)
      if (!full) return
      const [own, all] = [await refusalBy(share), await refusalBy(withAdvance)]
      const later = waitOf(own) >= waitOf(all) ? own : all
      if (later) throw waitOf(later) < waitOf(full) ? later : full
    },
    async countFailure() {
      await attemptUnder(ctx, [byNetwork, withAdvance]).countFailure()
      // Also when simultaneous attempts have filled it: a wrong password is answered as one.
      await isWithinLimit(ctx, share.key, share.max, share.seconds)
    },
  }
}

const waitOf = (refusal: Refusal | null): number => refusal?.retryAfter ?? 0

/** A /48 of IPv6, which one site gets: its 65,536 networks count as one. */
const siteOf = (network: string): string =>
  network.replace(/^((?:[\da-f]+:){3})[\da-f]+::\/64$/, '$1:/48')

/** The limit's key for wrong passwords of one account by strangers. */
export const loginLimitKey = (key: string): string => `login:account:${hashForLimitKey(key)}`

/** For keys of limits: typed text may be anything and need not be readable there. */
export const hashForLimitKey = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)
