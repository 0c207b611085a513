/**
 * Carrier answers become label states and money in one transaction. Lock order: batches, open calls, orders, balances by account,
 * and last the account's budget row.
 */
import { returnKeySpending } from '#server/accounts/api-keys.ts'
import { batchIdsOf } from '#server/batches/rules.ts'
import { withBatchesLocked } from '#server/batches/service.ts'
import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type { PurchaseResult } from '#server/carriers/port.ts'
import { clearPause } from '#server/carriers/rate-limit.ts'
import { closeCarrierCalls, insertEndedCalls } from '#server/carriers/service.ts'
import type { EndedCall } from '#server/carriers/service.ts'
import { settleEach } from '#server/carriers/settle-each.ts'
import { servicesWithSecondSource } from '#server/carriers/sources.ts'
import { LABEL_FILE_LEASE_MS } from '#server/labels/carrier-label-file.ts'
import { requestLabelFiles } from '#server/labels/service.ts'
import { lockWallets, settle as settleMoney } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectKeysOfOrders } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import { startTracking } from '#server/tracking/service.ts'
import { requestVoidsKnownToCarrier } from '#server/voids/service.ts'
import { recordLosses } from './loss-guard.ts'
import type { LabelLoss } from './loss-store.ts'
import { countLosses, countSettledLabels, observeSettling } from './metrics.ts'
import { outcomeMessages } from './outcome-messages.ts'
import { selectBuyTries, writeLookupVerdicts, writeVerdicts } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { dependsOnTries, verdictOnLookup, verdictOnPurchase } from './rules.ts'
import type { LookupConclusion, Verdict } from './rules.ts'
import { doubtTakenPurchases } from './taken-numbers.ts'

export type AnsweredPurchase = { claim: PurchaseClaim; outcome: PurchaseResult }

/** A label that cannot be settled is looked up when its lease ends. Returns the answers that count, in their order. */
export async function settlePurchases(
  ctx: LabelContext,
  received: AnsweredPurchase[],
): Promise<AnsweredPurchase[]> {
  const answers = await doubtTakenPurchases(ctx, received)
  const emitProgress = (settled: AnsweredPurchase[]): void => {
    const batchIds = batchIdsOf(settled.map(({ claim }) => claim))
    if (batchIds.length > 0) ctx.batchProgress.emit(batchIds)
  }
  const asGroup = await settleEach(
    answers,
    async group => {
      const began = performance.now()
      const { states, losses } = await ctx.database.tx(tx => applyAnswers(ctx, tx, group))
      observeSettling(ctx.meter, (performance.now() - began) / 1000)
      countSettledLabels(ctx.meter, states)
      reportLosses(ctx, losses)
      emitProgress(group)
    },
    (error, { claim }) =>
      ctx.log.error({ err: error, orderId: claim.id }, 'a label could not be settled'),
  )
  if (!asGroup) emitProgress(answers)
  return answers
}

const NO_SERVICES: ReadonlySet<string> = new Set()

async function applyAnswers(
  ctx: LabelContext,
  tx: Tx,
  answers: AnsweredPurchase[],
): Promise<AppliedVerdicts> {
  const isAccountProblem = answers.some(({ outcome }) => !outcome.ok && outcome.kind === 'account')
  const twoSources = isAccountProblem ? await servicesWithSecondSource(ctx, tx) : NO_SERVICES
  const tries = await selectBuyTries(
    tx,
    answers.flatMap(({ claim, outcome }) => (dependsOnTries(outcome, claim) ? [claim] : [])),
  )
  const judged = answers.map(({ claim, outcome }) => ({
    claim,
    verdict: verdictOnPurchase(
      outcome,
      claim,
      twoSources.has(claim.serviceUid),
      tries.get(claim.id),
    ),
  }))
  const calls = new Map(
    (await writeVerdicts(tx, judged)).map(call => [call.orderId, call] as const),
  )
  await recordAnswers(tx, answers, calls)
  const applied = await settleChanged(
    ctx,
    tx,
    judged.filter(({ claim }) => calls.has(claim.id)),
  )
  // Lock order: the budget row is last. Its holder never waits for a label or a balance.
  if (answers.some(({ outcome }) => outcome.ok)) await clearPause(tx, ctx.carrier)
  return applied
}

/** The call of a label whose lease had ended was recorded without an answer then. */
async function recordAnswers(
  tx: Tx,
  answers: AnsweredPurchase[],
  calls: ReadonlyMap<number, EndedCall>,
): Promise<void> {
  const late = answers.filter(({ claim }) => !calls.has(claim.id))
  await insertEndedCalls(
    tx,
    answers.flatMap(({ claim, outcome }) => {
      const call = calls.get(claim.id)
      return call ? [{ call, outcome }] : []
    }),
  )
  await closeCarrierCalls(
    tx,
    late.map(({ claim, outcome }) => ({ orderId: claim.id, fence: claim.fence, outcome })),
  )
}

/**
 * `isOpenElsewhere`: another account may have sold it, too, and did not answer. `laterCalls`: how many calls its account took for
 * later rounds.
 */
export type LookupFinding = {
  claim: PurchaseClaim
  found: LookupConclusion
  isOpenElsewhere?: true
  laterCalls?: number
}

/** A label that cannot be settled is looked up again. */
export async function settleLookups(ctx: LabelContext, findings: LookupFinding[]): Promise<void> {
  await settleEach(
    findings,
    async group => {
      const batchIds = batchIdsOf(group.map(({ claim }) => claim))
      const { states, losses } = await ctx.database.tx(tx =>
        withBatchesLocked(tx, batchIds, async open => {
          const applied = await applyVerdicts(
            ctx,
            tx,
            group.map(({ claim, found }) => {
              const mayQueue =
                claim.batchId === null || claim.unknownMs <= (open.get(claim.batchId) ?? -1)
              return {
                claim,
                verdict: verdictOnLookup(found, claim, ctx.carrier.quarantineMs, mayQueue),
              }
            }),
          )
          // A label that is still unknown does not make its batch build files again.
          return { result: applied, changedBatchIds: batchIdsOf(applied.ended) }
        }),
      )
      countSettledLabels(ctx.meter, states)
      reportLosses(ctx, losses)
      ctx.batchProgress.emit(batchIds)
    },
    (error, { claim }) =>
      ctx.log.error({ err: error, orderId: claim.id }, 'a look-up could not be settled'),
  )
}

/** After the commit. */
function reportLosses({ log, meter }: LabelContext, losses: LabelLoss[]): void {
  countLosses(
    meter,
    losses.map(({ outcome }) => outcome),
  )
  for (const { orderId, outcome, price, cost } of losses)
    log.warn(
      { orderId, price, cost },
      outcome === 'refused'
        ? 'a label was not bought: its postage is above its price and the limit of loss'
        : 'a label was sold at a loss above the limit',
    )
}

/** `ended`: now purchased or failed. */
export type AppliedVerdicts = {
  states: Verdict['state'][]
  ended: PurchaseClaim[]
  losses: LabelLoss[]
}

type JudgedLabel = { claim: PurchaseClaim; verdict: Verdict }

/** Of labels that were looked up. Their batches are locked before. */
export async function applyVerdicts(
  ctx: LabelContext,
  tx: Tx,
  judged: JudgedLabel[],
): Promise<AppliedVerdicts> {
  const ids = new Set(await writeLookupVerdicts(tx, judged))
  return settleChanged(
    ctx,
    tx,
    judged.filter(({ claim }) => ids.has(claim.id)),
  )
}

/** A file that is in the answer is stored after the commit, and fetched only if that fails. */
async function requestFiles(tx: Tx, ended: JudgedLabel[]): Promise<void> {
  const idsOf = (hasFile: boolean): number[] =>
    ended.flatMap(({ claim, verdict }) =>
      verdict.state === 'purchased' && (verdict.hasFile ?? false) === hasFile ? [claim.id] : [],
    )
  await requestLabelFiles(tx, idsOf(false))
  await requestLabelFiles(tx, idsOf(true), PURCHASED_FORMAT, LABEL_FILE_LEASE_MS)
}

/** Money, and what follows from the end of a label. */
async function settleChanged(
  ctx: LabelContext,
  tx: Tx,
  changed: JudgedLabel[],
): Promise<AppliedVerdicts> {
  const states = changed.map(({ verdict }) => verdict.state)
  const ended = changed.filter(
    ({ verdict }) => verdict.state === 'purchased' || verdict.state === 'failed',
  )
  if (ended.length === 0) return { states, ended: [], losses: [] }
  if (ctx.carrier.fetchLabel) await requestFiles(tx, ended)
  await startTracking(
    tx,
    ctx.carrier,
    ended.filter(({ verdict }) => verdict.state === 'purchased').map(({ claim }) => claim),
  )
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
  await returnKeySpending(
    tx,
    await selectKeysOfOrders(
      tx,
      ended.filter(({ verdict }) => verdict.state === 'failed').map(({ claim }) => claim.id),
    ),
  )
  await requestVoidsKnownToCarrier(
    ctx,
    tx,
    ended
      .filter(({ verdict }) => verdict.state === 'purchased' && verdict.isVoided)
      .map(({ claim }) => claim.id),
  )
  await publish(tx, outcomeMessages(ended))
  const losses = await recordLosses(ctx, tx, ended)
  return { states, ended: ended.map(({ claim }) => claim), losses }
}
