/** Audit entries outside of a change: refusals, and requests during impersonation. */
import { isIP } from 'node:net'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import type { Caller, ApiAction } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import type { NewAuditEntry } from './audit-store.ts'
import { describeDevice } from './user-agent.ts'

export type RequestOrigin = {
  address: string
  userAgent: string
  /** What limits of sign-ins count as one network: of the address, or of the one it claims. */
  network: string
  /** The Cookie header. */
  cookies: string
}

/** The stored form: network and kind of device, never raw headers. */
export const toAuditOrigin = ({
  address,
  userAgent,
}: Pick<RequestOrigin, 'address' | 'userAgent'>) => ({
  network: isIP(address) === 0 ? 'unknown' : networkOf(address),
  device: describeDevice(userAgent),
})

export const writeAudit = async (ctx: Context, entry: NewAuditEntry): Promise<void> =>
  void (await ctx.database.tx(tx => insertAuditEntry(tx, entry)))

/** Records a request during impersonation, before it runs. */
export const auditActingAs =
  (ctx: Context) =>
  async (caller: Caller, action: ApiAction): Promise<void> => {
    if (caller.impersonatorId === null) return
    const { userId: _, ...ids } = action.ids
    await writeAudit(ctx, {
      actorId: caller.impersonatorId,
      subjectId: caller.userId,
      action: 'acted-as',
      detail: { call: action.call, ...ids },
    })
  }

type ContextWithLimits = Context & { limits: Pick<RequestLimits, 'countAttempt'> }

// A flood of refused requests must not fill the audit.
const MAX_AUDITED_REFUSALS = 30
const AUDITED_REFUSALS_SECONDS = 600

/** Records a 'forbidden' refusal; at most some thirty in ten minutes per user. */
export const auditForbidden =
  (ctx: ContextWithLimits) =>
  async (caller: Caller, action: ApiAction): Promise<void> => {
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
      detail: { call: action.call, ...action.ids },
    })
  }

/** Records a wrong second factor or proof; at most some thirty in ten minutes per user. */
export async function auditWrongFactor(
  ctx: ContextWithLimits,
  userId: number,
  action: 'second-factor-denied' | 'proof-denied',
  detail: Record<string, unknown>,
): Promise<void> {
  const key = `noted:${action}:${userId}`
  if (await isWithinLimit(ctx, key, MAX_AUDITED_REFUSALS, AUDITED_REFUSALS_SECONDS))
    await writeAudit(ctx, { actorId: null, subjectId: userId, action, detail })
}

/** Records throttled sign-ins, once a minute per account or, for an unknown email, per network. */
export async function auditThrottledSignIn(
  ctx: ContextWithLimits,
  userId: number | null,
  origin: RequestOrigin,
): Promise<void> {
  const detail = toAuditOrigin(origin)
  if (!(await isWithinLimit(ctx, `noted:throttled:${userId ?? detail.network}`, 1, 60))) return
  await writeAudit(ctx, {
    actorId: null,
    subjectId: userId,
    action: 'login-throttled',
    detail,
  })
}

export async function isWithinLimit(
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

export const isTooManyError = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'too_many'
