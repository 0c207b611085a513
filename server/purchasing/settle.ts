import { insertAuditEntries } from '#server/accounts/audit-store.ts'
import type { PurchaseResult } from '#server/carriers/port.ts'
import { clearPause } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { closeCarrierCalls } from '#server/carriers/store.ts'
import { requestLabelFiles } from '#server/labels/carrier-label-file-store.ts'
/**
 * Settling: what the carrier said becomes the label's state and the customer's money in one transaction, for as many labels as
 * have an answer ready. The lock order of the house: batch, orders by number, balances by account.
 */
import { settle as settleMoney, lockWallets } from '#server/ledger/service.ts'
import { verdictOnPurchase, verdictOnLookup } from '#server/orders/rules.ts'
import type { LookupConclusion, Verdict } from '#server/orders/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import { startTracking } from '#server/tracking/service.ts'
import { requestVoids } from '#server/voids/store.ts'
import { writeVerdicts } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'

/** What the orders room must ask of whoever keeps batches; a house without batches keeps none. */
export type BatchKeeper = {
  /**
   * Locks batches in the order of their numbers. Returns the open ones, each with how long ago (ms) a label of it may have become
   * unknown and still be queued again.
   */
  lock(tx: Tx, batchIds: number[]): Promise<Map<number, number>>
  /** Rows of closed batches have changed: their counts, status and files follow. */
  changed(tx: Tx, batchIds: number[]): Promise<void>
  /** After the commit: these batches have made progress. */
  progressed(batchIds: number[]): void
}

/** `closing` ends when the house closes: nothing more is bought then, so nobody need wait for it. */
export type LabelContext = CarrierContext & {
  batchKeeper: BatchKeeper
  closing: AbortSignal
  files: FileStore
}

export type AnsweredPurchase = { claim: PurchaseClaim; outcome: PurchaseResult }

/** Settles answers to purchases; if the group as a whole fails, one by one, so that one bad row never harms a good one. */
export async function settlePurchases(
  ctx: LabelContext,
  answers: AnsweredPurchase[],
): Promise<void> {
  const began = performance.now()
  try {
    const entered = await ctx.database.tx(async tx => {
      await closeCarrierCalls(
        tx,
        answers.map(({ claim, outcome }) => ({ orderId: claim.id, fence: claim.fence, outcome })),
      )
      const written = await applyVerdicts(
        ctx,
        tx,
        answers.map(({ claim, outcome }) => ({
          claim,
          verdict: verdictOnPurchase(outcome, claim),
        })),
      )
      // Last, as everywhere: nobody who holds the account's row waits for a label or a balance.
      if (answers.some(({ outcome }) => outcome.ok)) await clearPause(tx, ctx.carrier)
      return written
    })
    ctx.meter?.settlingTook((performance.now() - began) / 1000)
    ctx.meter?.labelsSettled(entered.states)
  } catch (error) {
    if (answers.length === 1 || isDatabaseUnavailable(error)) throw error
    for (const answer of answers) {
      // What cannot be settled keeps its hold; its lease runs out and the carrier is asked again.
      await settlePurchases(ctx, [answer]).catch(fault =>
        ctx.log.error({ err: fault, orderId: answer.claim.id }, 'a label could not be settled'),
      )
    }
  }
  ctx.batchKeeper.progressed(batchIdsOf(answers.map(answer => answer.claim)))
}

export type LookupFinding = { claim: PurchaseClaim; found: LookupConclusion }

/**
 * Settles what the carrier said about labels of unknown outcome; closed batches follow in the same transaction. If the group as a whole
 * fails, one by one: a label that cannot be written must not keep the others unknown for ever.
 */
export async function settleLookups(ctx: LabelContext, findings: LookupFinding[]): Promise<void> {
  const batchIds = batchIdsOf(findings.map(finding => finding.claim))
  try {
    const { states } = await ctx.database.tx(async tx => {
      const open = await ctx.batchKeeper.lock(tx, batchIds)
      const entered = await applyVerdicts(
        ctx,
        tx,
        findings.map(({ claim, found }) => {
          const mayQueue =
            claim.batchId === null || claim.unknownMs <= (open.get(claim.batchId) ?? -1)
          return {
            claim,
            verdict: verdictOnLookup(found, claim, ctx.carrier.quarantineMs, mayQueue),
          }
        }),
      )
      // A closed batch whose label is still unknown stays as it is: its files are not made anew for every look.
      await ctx.batchKeeper.changed(
        tx,
        batchIdsOf(entered.ended).filter(id => !open.has(id)),
      )
      return entered
    })
    ctx.meter?.labelsSettled(states)
  } catch (error) {
    if (findings.length === 1 || isDatabaseUnavailable(error)) throw error
    for (const finding of findings) {
      // What cannot be settled keeps its hold, and the carrier is asked again.
      await settleLookups(ctx, [finding]).catch(fault =>
        ctx.log.error(
          { err: fault, orderId: finding.claim.id },
          'what became of a label could not be settled',
        ),
      )
    }
    return
  }
  ctx.batchKeeper.progressed(batchIds)
}

/** What verdicts have changed: the states written, and the labels that came to an end by it, bought or not. */
export type AppliedVerdicts = { states: Verdict['state'][]; ended: PurchaseClaim[] }

/** Writes verdicts with the money that follows from them. Their batches are locked by then. */
export async function applyVerdicts(
  ctx: LabelContext,
  tx: Tx,
  judged: { claim: PurchaseClaim; verdict: Verdict }[],
): Promise<AppliedVerdicts> {
  const ids = await writeVerdicts(tx, judged)
  const changed = judged.filter(({ claim }) => ids.has(claim.id))
  const states = changed.map(({ verdict }) => verdict.state)
  const ended = changed.filter(
    ({ verdict }) => verdict.state === 'purchased' || verdict.state === 'failed',
  )
  if (ended.length === 0) return { states, ended: [] }
  const bought = ended
    .filter(({ verdict }) => verdict.state === 'purchased')
    .map(({ claim }) => claim.id)
  if (ctx.carrier.fetchLabel) await requestLabelFiles(tx, bought)
  await startTracking(tx, ctx.carrier, bought)
  await lockWallets(
    tx,
    ended.map(({ claim }) => claim.userId),
  )
  await settleMoney(
    tx,
    ended.map(({ claim, verdict }) => ({
      ownerId: claim.userId,
      orderId: claim.id,
      batchId: claim.batchId,
      round: claim.round,
      price: claim.price,
      bought: verdict.state === 'purchased',
      reason: verdict.state === 'failed' ? verdict.reason : undefined,
    })),
  )
  await requestVoidsKnownToCarrier(
    ctx,
    tx,
    ended
      .filter(({ verdict }) => verdict.state === 'purchased' && verdict.isVoided)
      .map(({ claim }) => claim.id),
  )
  return { states, ended: ended.map(({ claim }) => claim) }
}

/**
 * Labels that turn out to have been taken back since the backup that this database was restored from: the money comes back as with
 * every void, when the carrier has said once more how far it is.
 */
export async function requestVoidsKnownToCarrier(
  ctx: LabelContext,
  tx: Tx,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  const requested = await requestVoids(tx, carrierAccountNames(ctx), ids, 'carrier')
  await insertAuditEntries(
    tx,
    requested.map(({ id, userId }) => ({
      actorId: null,
      subjectId: userId,
      action: 'void-requested',
      detail: { orderId: id },
    })),
  )
}

/** The batches of labels, each once, in the order of their numbers. */
export const batchIdsOf = (claims: Pick<PurchaseClaim, 'batchId'>[]): number[] =>
  [...new Set(claims.map(claim => claim.batchId).filter(id => id !== null))].sort((a, b) => a - b)
