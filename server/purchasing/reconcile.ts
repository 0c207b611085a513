import { callLookup } from '#server/carriers/calls.ts'
import type { PurchaseLookupResult } from '#server/carriers/port.ts'
import { recordCalls, availableCalls } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { msSinceRestore } from '#server/platform/backup/restore-state.ts'
import { storeDeliveredFiles } from './label-files.ts'
import { claimUnknown, expireLeases } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { settleLookups } from './settle.ts'
import type { LookupFinding, LabelContext } from './settle.ts'

/** How long a label may be in one process's hands. More than the carrier's time-out, so that an answer is settled inside it. */
export const LABEL_LEASE_MS = 15_000
const LOOKUPS_AT_ONCE = 200

/**
 * Finds out what became of labels that nobody has in hand any more: expired leases become unknown, unknown ones are looked up at
 * the carrier and settled by what it says. Nothing is bought here. Answers how many were looked up, and to how many the carrier had
 * an answer.
 */
export async function reconcile(
  ctx: LabelContext,
): Promise<{ lookedUp: number; answered: number }> {
  const expired = await ctx.database.tx(expireLeases)
  const batches = [...new Set(expired.filter(id => id !== null))]
  if (batches.length > 0) ctx.batchKeeper.progressed(batches)
  const claims = await ctx.database.tx(async tx => {
    const room = await availableCalls(tx, ctx.carrier, 'look-up', LOOKUPS_AT_ONCE)
    const taken =
      room === 0 ? [] : await claimUnknown(tx, carrierAccountNames(ctx), room, LABEL_LEASE_MS)
    await recordCalls(tx, ctx.carrier, 'look-up', taken.length)
    return taken
  })
  const findings = claims.length === 0 ? [] : await lookUpAndSettle(ctx, claims)
  return {
    lookedUp: findings.length,
    answered: findings.filter(({ found }) => found.found !== 'unknown').length,
  }
}

/** Asks the carrier what became of labels, settles what it says and answers with what is to be believed of it. */
export async function lookUpAndSettle(
  ctx: LabelContext,
  claims: PurchaseClaim[],
): Promise<LookupFinding[]> {
  const findings = await withForgottenRounds(
    ctx,
    await Promise.all(
      claims.map(async claim => ({ claim, found: await lookUpRound(ctx, claim, claim.round) })),
    ),
  )
  await settleLookups(ctx, findings)
  // Carriers print a label only so often: what came with the answer is not asked for again.
  const bought = findings.flatMap(({ claim, found }) =>
    found.found === 'purchased'
      ? [{ claim, outcome: { ok: true as const, purchase: found.purchase } }]
      : [],
  )
  await storeDeliveredFiles(ctx, bought).catch(error =>
    ctx.log.warn({ err: error }, 'files of labels could not be kept; they are fetched'),
  )
  return findings
}

const lookUpRound = (
  ctx: LabelContext,
  { id }: PurchaseClaim,
  round: number,
): Promise<PurchaseLookupResult> =>
  callLookup(ctx.carrier, { reference: String(id), round }, ctx.config.carrierTimeoutMs)

/** How many rounds after the one we know of are asked about. Each of them took somebody's Retry Failed. */
const FORGOTTEN_ROUNDS = 3

/**
 * A label that was queued before a restore may have failed since the backup and been bought in a later round, of which this database
 * knows nothing. To buy it in its old round would be to buy it again; it fails, and its next Retry Failed gets the one that was sold.
 */
async function withForgottenRounds(
  ctx: LabelContext,
  findings: LookupFinding[],
): Promise<LookupFinding[]> {
  if (!findings.some(mayBeForgotten)) return findings
  const restoredMs = await msSinceRestore(ctx.database.db)
  if (restoredMs === null) return findings
  return Promise.all(
    findings.map(async finding => {
      const { claim } = finding
      if (!mayBeForgotten(finding) || claim.waitedMs < restoredMs) return finding
      const later = await Promise.all(
        Array.from({ length: FORGOTTEN_ROUNDS }, (_, n) =>
          lookUpRound(ctx, claim, claim.round + 1 + n),
        ),
      )
      if (later.some(({ found }) => found === 'purchased'))
        return { claim, found: { found: 'bought_later' } as const }
      return later.some(({ found }) => found === 'unknown')
        ? { claim, found: { found: 'unknown' } as const }
        : finding
    }),
  )
}

/** Only labels of a batch have further rounds. */
const mayBeForgotten = ({ claim, found }: LookupFinding): boolean =>
  found.found === 'not_purchased' && claim.batchId !== null
