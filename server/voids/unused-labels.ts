import { isUnderWay } from '#contract/tracking.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { autoVoidDeadlineMs } from '#server/tracking/rules.ts'
import {
  cancelAutoVoids,
  claimAutoVoids,
  claimDueParcels,
  trackParcels,
} from '#server/tracking/service.ts'
import type { AutoVoidClaim } from '#server/tracking/service.ts'
import { requestAndAudit } from './service.ts'

/** Labels are due two days before the window ends, so one without an answer can wait. */
const AUTO_VOID_LEASE_MS = 15 * 60_000

/**
 * Only with VOID_UNUSED. Polls each parcel once more before. After a crash another process claims
 * the labels when the lease ends.
 */
export async function voidUnusedLabels(ctx: LabelContext): Promise<void> {
  const { carrier, config, database } = ctx
  const { voidWindowMs } = carrier
  if (!config.voidUnused || voidWindowMs === null || carrier.track === null) return
  while (!ctx.closing.aborted) {
    const { claims, isDone } = await claimDueParcels(ctx, claimAutoVoids, AUTO_VOID_LEASE_MS)
    if (isDone) return
    const { unused, settled } = await classifyAutoVoids(ctx, claims, voidWindowMs)
    await database.tx(async tx => {
      const accounts = namesOfOwnCarrierAccount(ctx)
      await requestAndAudit(tx, accounts, unused, 'system', { automatic: true })
      await cancelAutoVoids(tx, settled)
    })
  }
}

/**
 * `settled`: labels that need no further look. Without an answer the last status counts after the
 * deadline; a label without any status is not voided. Other labels are claimed again when their
 * lease ends.
 */
async function classifyAutoVoids(
  ctx: LabelContext,
  claims: AutoVoidClaim[],
  windowMs: number,
): Promise<{ unused: number[]; settled: number[] }> {
  const results = await trackParcels(ctx, claims)
  const isUnused = ({ id, sinceBoughtMs, wasUnseen }: AutoVoidClaim): boolean => {
    const tracked = results.get(id)
    return tracked
      ? !isUnderWay(tracked.status)
      : wasUnseen && sinceBoughtMs >= autoVoidDeadlineMs(windowMs)
  }
  const unused = claims.filter(isUnused)
  const settled = claims.filter(
    claim => results.get(claim.id) || isUnused(claim) || claim.sinceBoughtMs >= windowMs,
  )
  return { unused: unused.map(({ id }) => id), settled: settled.map(({ id }) => id) }
}
