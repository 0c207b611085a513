/** Audit entries outside of a change: refusals, and requests during impersonation. */

import { isIP } from 'node:net'
import { endSessions } from '#contract/accounts.ts'
import { listAddresses } from '#contract/addresses.ts'
import { listAdjustments } from '#contract/adjustments.ts'
import { listKeys } from '#contract/api-keys.ts'
import type { AuditAction } from '#contract/audit.ts'
import { listBatches } from '#contract/batches.ts'
import { initializeUserServices } from '#contract/catalogue.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getMapping, listImports } from '#contract/imports.ts'
import { statement, statementCsv } from '#contract/ledger.ts'
import { labelDetails } from '#contract/order-details.ts'
import { listOrders, recentOrders } from '#contract/orders.ts'
import { listDeposits, recentDeposits } from '#contract/payments.ts'
import { listRefunds } from '#contract/refunds.ts'
import { listScanForms, scanFormCandidates } from '#contract/scan-forms.ts'
import { listSkus } from '#contract/skus.ts'
import { voidBatch, voidOrder } from '#contract/voids.ts'
import { statementOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
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

type ContextWithLimits = Context & { limits: Pick<RequestLimits, 'countAttempt'> }

/** Their own entries have more detail. */
const HAVE_OWN_ENTRY: readonly Endpoint[] = [
  voidOrder,
  voidBatch,
  initializeUserServices,
  endSessions,
]

const READ_ACTIONS = new Map<Endpoint, AuditAction>([
  [listAddresses, 'addresses-read'],
  [listImports, 'columns-read'],
  [getMapping, 'columns-read'],
  [listKeys, 'keys-read'],
  [statement, 'statement-read'],
  [listOrders, 'orders-read'],
  [recentOrders, 'orders-read'],
  [listBatches, 'orders-read'],
  [listDeposits, 'deposits-read'],
  [recentDeposits, 'deposits-read'],
  [listSkus, 'skus-read'],
  [labelDetails, 'label-read'],
  [listScanForms, 'orders-read'],
  [scanFormCandidates, 'orders-read'],
  [listAdjustments, 'adjustments-read'],
  [listRefunds, 'refunds-read'],
])
const AUDITED_READ_SECONDS = 600

/** What entries of a call with a key tell: 'by API key NAME'. */
export const keyDetail = ({ key }: Pick<Caller, 'key'>): { key?: string } =>
  key ? { key: key.name } : {}

const KEY_USE_MS = 600_000
/** Entries at most; the oldest is forgotten. */
const KEY_USES_KNOWN = 10_000

/** Whether a key has not made the call in the last ten minutes, by this process. */
function openKeyUses(): (keyId: number, call: string) => boolean {
  const uses = new Map<string, number>()
  return (keyId, call) => {
    const use = `${keyId} ${call}`
    const now = performance.now()
    if (now - (uses.get(use) ?? -Infinity) < KEY_USE_MS) return false
    uses.delete(use)
    uses.set(use, now)
    if (uses.size > KEY_USES_KNOWN) uses.delete(uses.keys().next().value!)
    return true
  }
}

/**
 * Records, before it runs, a request during impersonation, and one of an administrator for another
 * user: `ownerOf` finds that user. Calls for administrators only write entries of their own. Reads
 * are recorded once in ten minutes per administrator, user and kind; changes and downloads with a
 * key once in ten minutes per key and call.
 */
export function auditAction(
  ctx: ContextWithLimits,
  ownerOf: (caller: Caller, action: ApiAction) => Promise<number | null>,
): (caller: Caller, action: ApiAction) => Promise<void> {
  const isNewUse = openKeyUses()
  return async (caller, action) => {
    const { endpoint, call } = action
    const read = READ_ACTIONS.get(endpoint)
    const { userId: _, ...ids } = action.ids
    if (caller.key) {
      if (read || HAVE_OWN_ENTRY.includes(endpoint) || !isNewUse(caller.key.id, call)) return
      const entry = { actorId: caller.userId, subjectId: caller.userId }
      const detail = { call, ...ids, ...keyDetail(caller) }
      return writeAudit(ctx, { ...entry, action: 'key-used', detail })
    }
    if (caller.impersonatorId !== null) {
      if (read) return
      await writeAudit(ctx, {
        actorId: caller.impersonatorId,
        subjectId: caller.userId,
        action: 'acted-as',
        detail: { call, ...ids },
      })
      return
    }
    if (caller.role !== 'admin' || endpoint.access === 'admin') return
    if (HAVE_OWN_ENTRY.includes(endpoint)) return
    const ownerId = await ownerOf(caller, action)
    if (ownerId === null || ownerId === caller.userId) return
    if (endpoint === statementCsv) {
      const { total: rows } = await statementOf(ctx.database.db, ownerId, 1, 1)
      return auditExport(ctx, caller, ownerId, { what: 'the statement', rows })
    }
    const entry = { actorId: caller.userId, subjectId: ownerId }
    if (!read) {
      const isFile = endpoint.acceptsDownloadCookie === true
      const kind = isFile ? 'administrator-download' : 'administrator-request'
      return writeAudit(ctx, { ...entry, action: kind, detail: { call, ...ids } })
    }
    const key = `noted:${read}:${caller.userId}:${ownerId}`
    if (await isWithinLimit(ctx, key, 1, AUDITED_READ_SECONDS))
      await writeAudit(ctx, { ...entry, action: read })
  }
}

/** Records an export, before it is sent. `filter`: without typed text. */
export const auditExport = (
  ctx: Context,
  caller: Caller,
  subjectId: number | null,
  detail: { what: string; rows: number; more?: boolean; filter?: string },
): Promise<void> =>
  writeAudit(ctx, { actorId: caller.userId, subjectId, action: 'exported', detail })

// A flood of refused requests must not fill the audit.
const MAX_AUDITED_REFUSALS = 30
const AUDITED_REFUSALS_SECONDS = 600

/** Records a refusal with status 403; at most some thirty in ten minutes per user. */
export const auditForbidden =
  (ctx: ContextWithLimits) =>
  async (caller: Caller, action: ApiAction): Promise<void> => {
    const actorId = actorIdOf(caller)
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
      detail: { call: action.call, ...action.ids, ...keyDetail(caller) },
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
  error instanceof Refusal && error.status === 429
