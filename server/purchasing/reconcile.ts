import { callLookup } from '#server/carriers/calls.ts'
import type { PurchaseLookupResult } from '#server/carriers/port.ts'
import { claimWithBudget, recordCalls } from '#server/carriers/rate-limit.ts'
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
import { FORGOTTEN_ROUNDS, laterLookups } from './rules.ts'
import { settleLookups } from './settle.ts'
import type { LookupFinding } from './settle.ts'
import { doubtTakenFindings } from './taken-numbers.ts'

const LOOKUPS_AT_ONCE = 200

/** Marks labels with expired leases as unknown, and looks unknown labels up. Buys nothing. */
export async function reconcile(
  ctx: LabelContext,
): Promise<{ lookedUp: number; answered: number }> {
  const expired = await ctx.database.tx(endLateCalls)
  const batches = [...new Set(expired.filter(id => id !== null))]
  if (batches.length > 0) ctx.batchProgress.emit(batches)
  const later = ctx.carrier.rateLimit ? FORGOTTEN_ROUNDS : 0
  const claims = await ctx.database.tx(async tx => {
    const claimed = await claimWithBudget(tx, ctx.carrier, 'look-up', LOOKUPS_AT_ONCE, calls =>
      claimUnknown(tx, namesOfOwnCarrierAccount(ctx), { calls, later }, LABEL_LEASE_MS),
    )
    await recordCalls(tx, ctx.carrier, 'look-up', sumOf(claimed, laterLookups))
    return claimed
  })
  const findings =
    claims.length === 0 ? [] : await lookUpAndSettle(ctx, claims, { isLimited: true })
  const unneeded = sumOf(findings, ({ claim, laterCalls = 0 }) => laterLookups(claim) - laterCalls)
  await giveBack(ctx, unneeded)
  return {
    lookedUp: findings.length,
    answered: findings.filter(({ found }) => found.found !== 'unknown').length,
  }
}

const sumOf = <T>(items: T[], callsOf: (item: T) => number): number =>
  items.reduce((calls, item) => calls + callsOf(item), 0)

/** Calls that were counted and not made. */
async function giveBack({ carrier, database }: LabelContext, calls: number): Promise<void> {
  if (calls > 0 && carrier.rateLimit)
    await database.tx(tx => recordCalls(tx, carrier, 'look-up', -calls))
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

/** `isLimited`: other accounts are asked within their rate limit. An administrator does not wait for it. */
type LookupLimit = { isLimited: boolean }

export async function lookUpAndSettle(
  ctx: LabelContext,
  claims: PurchaseClaim[],
  limit: LookupLimit,
): Promise<LookupFinding[]> {
  const received = await withForgottenRounds(
    ctx,
    await Promise.all(
      claims.map(async claim => ({ claim, found: await lookUpRound(ctx, claim, claim.round) })),
    ),
    limit,
  )
  const findings = await doubtTakenFindings(ctx, received)
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

/**
 * A label that was open at the backup may have been bought in a later round, or by another account, which
 * this database does not know, also when its own account no longer answers. Buying the old round would
 * buy it twice. Bought in a later round it fails instead, and Retry Failed finds the sold label; bought by
 * another account it is left to that one.
 */
async function withForgottenRounds(
  ctx: LabelContext,
  findings: LookupFinding[],
  limit: LookupLimit,
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
      // An account that no longer answers may have been replaced by another one, which sold the label.
      const later =
        finding.found.found === 'unknown'
          ? { found: 'not_purchased' as const, calls: 0 }
          : await lookUpLaterRounds(ctx, finding.claim)
      const concluded = await concludeForgotten(ctx, finding, later.found, others, limit)
      return { ...concluded, laterCalls: later.calls }
    }),
  )
}

/** `later`: what its account answered for later rounds. */
async function concludeForgotten(
  ctx: LabelContext,
  finding: LookupFinding,
  later: PurchaseLookupResult['found'],
  others: LabelContext[],
  limit: LookupLimit,
): Promise<LookupFinding> {
  const { claim, found } = finding
  if (later === 'purchased') return { claim, found: { found: 'bought_later' } }
  if (later === 'unknown') return { claim, found: { found: 'unknown' } }
  const elsewhere = await lookUpElsewhere(others, claim, limit)
  if (elsewhere === null)
    return found.found === 'not_purchased' ? leaveToFirstSource(ctx, finding) : finding
  // The other account looks it up again, and settles what it has sold.
  if (elsewhere === 'unknown') return { claim, found: { found: 'unknown' }, isOpenElsewhere: true }
  await ctx.database.tx(tx => moveUnknownToAccount(tx, claim, elsewhere.carrier.account))
  return { claim, found: { found: 'elsewhere' } }
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

/** Only labels of batches have later rounds. `calls`: how many were made. */
async function lookUpLaterRounds(
  ctx: LabelContext,
  claim: PurchaseClaim,
): Promise<{ found: PurchaseLookupResult['found']; calls: number }> {
  if (claim.batchId === null) return { found: 'not_purchased', calls: 0 }
  const later = await Promise.all(
    Array.from({ length: FORGOTTEN_ROUNDS }, (_, n) =>
      lookUpRound(ctx, claim, claim.round + 1 + n),
    ),
  )
  const has = (what: PurchaseLookupResult['found']) => later.some(({ found }) => found === what)
  return {
    found: has('purchased') ? 'purchased' : has('unknown') ? 'unknown' : 'not_purchased',
    calls: later.length,
  }
}

/** False while the account can take no call. The last label may exceed what is left. */
const takeCalls = ({ carrier, database }: LabelContext, calls: number): Promise<boolean> =>
  database.tx(async tx => {
    const taken = await claimWithBudget(tx, carrier, 'look-up', 1, () => Promise.resolve([true]))
    if (taken.length > 0) await recordCalls(tx, carrier, 'look-up', calls - 1)
    return taken.length > 0
  })

/** The context of the account that sold it, in any round; null if none did. */
async function lookUpElsewhere(
  others: LabelContext[],
  claim: PurchaseClaim,
  { isLimited }: LookupLimit,
): Promise<LabelContext | 'unknown' | null> {
  const answers = await Promise.all(
    others.map(async other => {
      // A sale may still be recorded.
      const isFinal = claim.unknownMs >= other.carrier.quarantineMs
      const counted = 1 + (isFinal ? laterLookups(claim) : 0)
      if (isLimited && !(await takeCalls(other, counted))) return 'unknown'
      const { found, calls } = await lookUpAt(other, claim, isFinal)
      if (isLimited) await giveBack(other, counted - calls)
      return found
    }),
  )
  const sold = answers.indexOf('purchased')
  if (sold >= 0) return others[sold]!
  return answers.includes('unknown') ? 'unknown' : null
}

/** Looks the label up in all rounds. `isFinal`: the account's denial counts. `calls`: how many were made. */
async function lookUpAt(
  other: LabelContext,
  claim: PurchaseClaim,
  isFinal: boolean,
): Promise<{ found: PurchaseLookupResult['found']; calls: number }> {
  const { found } = await lookUpRound(other, claim, claim.round)
  if (found !== 'not_purchased') return { found, calls: 1 }
  if (!isFinal) return { found: 'unknown', calls: 1 }
  const later = await lookUpLaterRounds(other, claim)
  return { found: later.found, calls: 1 + later.calls }
}
