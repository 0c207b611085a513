import { callLookup } from '#server/carriers/calls.ts'
import type { PurchaseLookupResult } from '#server/carriers/port.ts'
import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import {
  accountContexts,
  insertEndedCalls,
  namesOfOwnCarrierAccount,
} from '#server/carriers/service.ts'
import { firstSourceOf } from '#server/carriers/sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { storeDeliveredFilesInTime } from './label-files.ts'
import { claimUnknown, expireLeases, moveUnknownToAccount, wasAskedToSell } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { settleLookups } from './settle.ts'
import type { LookupFinding } from './settle.ts'

const LOOKUPS_AT_ONCE = 200

/** Marks labels with expired leases as unknown, and looks unknown labels up. Buys nothing. */
export async function reconcile(
  ctx: LabelContext,
): Promise<{ lookedUp: number; answered: number }> {
  const expired = await ctx.database.tx(endLateCalls)
  const batches = [...new Set(expired.filter(id => id !== null))]
  if (batches.length > 0) ctx.batchProgress.emit(batches)
  const claims = await ctx.database.tx(tx =>
    claimWithBudget(tx, ctx.carrier, 'look-up', LOOKUPS_AT_ONCE, available =>
      claimUnknown(tx, namesOfOwnCarrierAccount(ctx), available, LABEL_LEASE_MS),
    ),
  )
  const findings = claims.length === 0 ? [] : await lookUpAndSettle(ctx, claims)
  return {
    lookedUp: findings.length,
    answered: findings.filter(({ found }) => found.found !== 'unknown').length,
  }
}

/** Returns the batch ids of the labels. */
async function endLateCalls(tx: Tx): Promise<(number | null)[]> {
  const { batchIds, calls } = await expireLeases(tx)
  await insertEndedCalls(
    tx,
    calls.map(call => ({ call, outcome: null })),
  )
  return batchIds
}

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
  // Carriers limit how often they print a label, so a file in the answer is stored.
  const bought = findings.flatMap(({ claim, found }) =>
    found.found === 'purchased'
      ? [{ claim, outcome: { ok: true as const, purchase: found.purchase } }]
      : [],
  )
  await storeDeliveredFilesInTime(ctx, bought)
  return findings
}

const lookUpRound = (
  ctx: LabelContext,
  { id }: PurchaseClaim,
  round: number,
): Promise<PurchaseLookupResult> =>
  callLookup(ctx.carrier, { reference: String(id), round }, ctx.config.carrierTimeoutMs)

/** Each round takes a Retry Failed. */
const FORGOTTEN_ROUNDS = 3

/**
 * A label that was open at the backup may have been bought in a later round, or by another account, which
 * this database does not know, also when its own account no longer answers. Buying the old round would
 * buy it twice. Bought in a later round it fails instead, and Retry Failed finds the sold label; bought by
 * another account it is left to that one.
 */
async function withForgottenRounds(
  ctx: LabelContext,
  findings: LookupFinding[],
): Promise<LookupFinding[]> {
  const others = accountContexts(ctx).filter(
    ({ carrier }) => carrier.account !== ctx.carrier.account,
  )
  const mayBeForgotten = ({ claim, found }: LookupFinding): boolean =>
    claim.isBeforeRestore
    && ((found.found === 'not_purchased' && claim.batchId !== null)
      || (found.found !== 'purchased' && others.length > 0))
  if (!findings.some(mayBeForgotten)) return findings
  return Promise.all(
    findings.map(async finding => {
      if (!mayBeForgotten(finding)) return finding
      const { claim, found } = finding
      // An account that no longer answers may have been replaced by another one, which sold the label.
      const later =
        found.found === 'unknown' ? 'not_purchased' : await lookUpLaterRounds(ctx, claim)
      if (later === 'purchased') return { claim, found: { found: 'bought_later' } as const }
      const elsewhere = later === 'unknown' ? later : await lookUpElsewhere(others, claim)
      if (elsewhere === null)
        return found.found === 'not_purchased' ? leaveToFirstSource(ctx, finding) : finding
      // The other account looks it up again, and settles what it has sold.
      if (elsewhere === 'unknown')
        return {
          claim,
          found: { found: 'unknown' } as const,
          ...(later !== 'unknown' && { isOpenElsewhere: true as const }),
        }
      await ctx.database.tx(tx => moveUnknownToAccount(tx, claim, elsewhere.carrier.account))
      return { claim, found: { found: 'elsewhere' } as const }
    }),
  )
}

/**
 * A label that every account denies goes to the first source of its service, which looks it up again and sells it. It
 * stays where its account was asked to sell it in this round: only that one may be asked again.
 */
async function leaveToFirstSource(
  ctx: LabelContext,
  finding: LookupFinding,
): Promise<LookupFinding> {
  const { claim } = finding
  const { db, tx: inTx } = ctx.database
  const { account } = (await firstSourceOf(ctx, db, claim.serviceUid)).carrier
  if (account === ctx.carrier.account) return finding
  if (await wasAskedToSell(db, namesOfOwnCarrierAccount(ctx), claim)) return finding
  await inTx(tx => moveUnknownToAccount(tx, claim, account))
  return { claim, found: { found: 'elsewhere' } }
}

/** Only labels of batches have later rounds. */
async function lookUpLaterRounds(
  ctx: LabelContext,
  claim: PurchaseClaim,
): Promise<PurchaseLookupResult['found']> {
  if (claim.batchId === null) return 'not_purchased'
  const later = await Promise.all(
    Array.from({ length: FORGOTTEN_ROUNDS }, (_, n) =>
      lookUpRound(ctx, claim, claim.round + 1 + n),
    ),
  )
  const has = (what: PurchaseLookupResult['found']) => later.some(({ found }) => found === what)
  return has('purchased') ? 'purchased' : has('unknown') ? 'unknown' : 'not_purchased'
}

/** The context of the account that sold it, in any round; null if none did. */
async function lookUpElsewhere(
  others: LabelContext[],
  claim: PurchaseClaim,
): Promise<LabelContext | 'unknown' | null> {
  const answers = await Promise.all(
    others.map(async other => {
      const { found } = await lookUpRound(other, claim, claim.round)
      if (found !== 'not_purchased') return found
      // A sale may still be recorded.
      if (claim.unknownMs < other.carrier.quarantineMs) return 'unknown'
      return lookUpLaterRounds(other, claim)
    }),
  )
  const sold = answers.indexOf('purchased')
  if (sold >= 0) return others[sold]!
  return answers.includes('unknown') ? 'unknown' : null
}
