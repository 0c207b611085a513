/** Writing the audit where no change is made: what was refused, and what is done inside of a log-in-as-user. */
import { isIP } from 'node:net'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import type { Caller, ApiAction } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import type { NewAuditEntry } from './audit-store.ts'
import { describeDevice } from './user-agent.ts'

/** Where a call came from. */
export type RequestOrigin = { address: string; userAgent: string }

/** What is written down of it: the network and the kind of device, never what a browser says, or a proxy passes on, word for word. */
export const toAuditOrigin = ({ address, userAgent }: RequestOrigin) => ({
  network: isIP(address) === 0 ? 'unknown' : networkOf(address),
  device: describeDevice(userAgent),
})

/** Writes a line of the audit on its own; inside a transaction the stores do it. */
export const writeAudit = async (ctx: Context, entry: NewAuditEntry): Promise<void> =>
  void (await ctx.database.tx(tx => insertAuditEntry(tx, entry)))

/** Writes down what an administrator is about to do as another user. What users do as themselves has lines of its own. */
export const auditActingAs =
  (ctx: Context) =>
  async (caller: Caller, deed: ApiAction): Promise<void> => {
    if (caller.impersonatorId === null) return
    const { userId: _, ...ids } = deed.ids
    await writeAudit(ctx, {
      actorId: caller.impersonatorId,
      subjectId: caller.userId,
      action: 'acted-as',
      detail: { call: deed.call, ...ids },
    })
  }

type ContextWithLimits = Context & { limits: Pick<RequestLimits, 'countAttempt'> }

// Whoever knocks at many doors is seen by the first of them; the audit does not fill up with the rest.
const MAX_AUDITED_REFUSALS = 30
const AUDITED_REFUSALS_SECONDS = 600

/** Writes down that somebody was refused a call that is not for him; about thirty of them in ten minutes for each user. */
export const auditForbidden =
  (ctx: ContextWithLimits) =>
  async (caller: Caller, deed: ApiAction): Promise<void> => {
    const actorId = caller.impersonatorId ?? caller.userId
    if (
      !(await isWithinLimit(
        ctx,
        `noted:forbidden:${actorId}`,
        MAX_AUDITED_REFUSALS,
        AUDITED_REFUSALS_SECONDS,
      ))
    )
      return
    await writeAudit(ctx, {
      actorId,
      subjectId: caller.userId,
      action: 'forbidden',
      detail: { call: deed.call, ...deed.ids },
    })
  }

/** Writes down, once a minute for each account or, where nobody has the address, each network, that tries to sign in are slowed. */
export async function auditThrottledSignIn(
  ctx: ContextWithLimits,
  userId: number | null,
  visit: RequestOrigin,
): Promise<void> {
  const seen = toAuditOrigin(visit)
  if (!(await isWithinLimit(ctx, `noted:throttled:${userId ?? seen.network}`, 1, 60))) return
  await writeAudit(ctx, {
    actorId: null,
    subjectId: userId,
    action: 'login-throttled',
    detail: seen,
  })
}

async function isWithinLimit(
  { limits }: ContextWithLimits,
  key: string,
  max: number,
  seconds: number,
): Promise<boolean> {
  try {
    await limits.countAttempt(key, max, seconds)
    return true
  } catch (error) {
    if (isTooManyError(error)) return false
    throw error
  }
}

/** Whether an error says that something was tried too often. */
export const isTooManyError = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'too_many'
