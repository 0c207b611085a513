/**
 * Voiding labels. The wish is committed before the carrier is asked, the carrier is asked outside any transaction, and state and
 * money change together when it has answered. Asking twice is safe, so a process that dies anywhere in between is followed by
 * another that asks again; nothing here ever buys.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { usd } from '#contract/money.ts'
import type { VoidStatus } from '#contract/orders.ts'
import { insertAuditEntries } from '#server/accounts/audit-store.ts'
import { callVoid } from '#server/carriers/calls.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { recordCalls, applyBackoff, availableCalls } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { closeCarrierCalls, insertCarrierCalls } from '#server/carriers/store.ts'
import { lockWallets, refund } from '#server/ledger/service.ts'
import { selectInAccounts } from '#server/orders/open-labels-store.ts'
import { findOrder, findOrders, selectVoiding } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { mayAccessOrder, getOrderFor } from '#server/purchasing/place.ts'
import { LABEL_LEASE_MS } from '#server/purchasing/reconcile.ts'
import { batchIdsOf } from '#server/purchasing/settle.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { verdictOnVoid, voidStatusOf, voidObstacle } from './rules.ts'
import type { VoidVerdict } from './rules.ts'
import {
  claimVoidById,
  claimVoids,
  requestVoids,
  selectUnusedInBatch,
  writeVoidVerdicts,
} from './store.ts'
import type { VoidClaim } from './store.ts'

/** How many voids one call, and the worker of one process, have at the carrier at a time. */
const CARRIER_VOIDS_AT_ONCE = 8
/** How long somebody waits for the carrier; what it has not answered by then is the worker's. */
const PATIENCE_FOR_ONE_MS = 5_000
const PATIENCE_FOR_MANY_MS = 20_000
const LEAST_TIMEOUT_MS = 1_000
/** How often labels in another process's hands are looked at. */
const LOOK_EVERY_MS = 100

/** What the statement says beside the money of a label that the house has voided. */
const AUTO_VOID_NOTE = 'Unused label: refunded before the carrier’s window ended'

const ANOTHER_ACCOUNT =
  'This label was bought with another carrier account, which is not connected now. It cannot be voided until it is; '
  + 'nothing was changed.'

/** What came of a wish to void a label, with a sentence for the reader. */
export type OrderVoidResult = { order: OrderRecord; void: VoidStatus; message: string }

/**
 * Voids one label and waits a few seconds for the carrier: confirmed, its price is back; else it will be when the carrier
 * confirms. Throws Refusal: 'not_found', 'conflict' for a label that was not bought, 'unprocessable' when the carrier refuses or where
 * another account than the one that is open has bought it.
 */
export async function voidOne(
  ctx: LabelContext,
  caller: Caller,
  orderId: number,
): Promise<OrderVoidResult> {
  const before = await getOrderFor(ctx, caller, orderId)
  const problem = voidObstacle(before)
  if (problem) throw new Refusal('conflict', problem)
  if (
    before.state !== 'voided'
    && !(await selectInAccounts(ctx.database.db, carrierAccountNames(ctx), [orderId])).has(orderId)
  ) {
    throw new Refusal('unprocessable', ANOTHER_ACCOUNT)
  }
  if (before.state !== 'voided')
    await requestVoidsAndWait(ctx, caller, [orderId], PATIENCE_FOR_ONE_MS)
  const outcome = voidResultFor((await findOrder(ctx.database.db, orderId))!, before)
  if (outcome.void === 'refused') throw new Refusal('unprocessable', outcome.message)
  return outcome
}

/** Voids several labels; one that cannot be voided keeps none of the others. Each id is answered once, in the order they came. */
export async function voidMany(
  ctx: LabelContext,
  caller: Caller,
  orderIds: number[],
): Promise<{ orderId: number; void: VoidStatus; message: string }[]> {
  const ids = [...new Set(orderIds)]
  const { db } = ctx.database
  const before = new Map(
    (await findOrders(db, ids))
      .filter(order => mayAccessOrder(caller, order))
      .map(order => [order.id, order]),
  )
  const isOpen = (order: OrderRecord): boolean =>
    order.state !== 'voided' && voidObstacle(order) === null
  const open = ids.filter(id => before.has(id) && isOpen(before.get(id)!))
  const own = await selectInAccounts(db, carrierAccountNames(ctx), open)
  const wanted = open.filter(id => own.has(id))
  await requestVoidsAndWait(ctx, caller, wanted, PATIENCE_FOR_MANY_MS)
  const after = new Map((await findOrders(db, wanted)).map(order => [order.id, order]))
  return ids.map(orderId => {
    const there = before.get(orderId)
    if (!there) return { orderId, void: 'refused', message: 'There is no such order' }
    if (open.includes(orderId) && !own.has(orderId))
      return { orderId, void: 'refused', message: ANOTHER_ACCOUNT }
    const { void: status, message } = voidResultFor(after.get(orderId) ?? there, there)
    return { orderId, void: status, message }
  })
}

function voidResultFor(order: OrderRecord, before: OrderRecord): OrderVoidResult {
  const outcome = voidStatusOf(order) ?? 'refused'
  return { order, void: outcome, message: voidMessage(outcome, order, before) }
}

function voidMessage(outcome: VoidStatus, order: OrderRecord, before: OrderRecord): string {
  switch (outcome) {
    case 'voided':
      return before.state === 'voided'
        ? 'This label is voided already'
        : `The label was voided: ${usd(order.price)} went back to the balance`
    case 'requested':
      return 'The carrier was asked to void this label. Its price comes back when the carrier confirms.'
    case 'refused':
      return (
        voidObstacle(order)
        ?? `The carrier refused to void this label: ${order.voidReason ?? 'it named no reason'}`
      )
  }
}

/**
 * One transaction for the wish, the line in the audit and the first labels in hand; then the carrier is asked, again where it did
 * not answer, until all is known or patience ends. Labels that another process has in hand are waited for.
 */
async function requestVoidsAndWait(
  ctx: LabelContext,
  caller: Caller,
  ids: number[],
  patienceMs: number,
): Promise<void> {
  if (ids.length === 0) return
  const actorId = actingUserIdOf(caller)
  await askUntilSettled(
    ctx,
    ids,
    patienceMs,
    await ctx.database.tx(async tx => {
      const requested = await requestVoids(tx, carrierAccountNames(ctx), ids, { actorId })
      await insertAuditEntries(
        tx,
        requested.map(({ id, userId }) => ({
          actorId,
          subjectId: userId,
          action: 'void-requested',
          detail: { orderId: id },
        })),
      )
      return claimDueVoids(tx, ctx, ids)
    }),
  )
}

const actingUserIdOf = (caller: Caller): number => caller.impersonatorId ?? caller.userId

/** Labels of a batch whose void was asked for together, and what has become of each by now. */
export type VoidCounts = Record<VoidStatus, number>

/**
 * Asks for the voids of all labels of a batch that are bought and that nobody has seen, in one transaction, and waits a few seconds
 * for the carrier; the worker goes on with the others. Clicked twice, the second finds nothing more to ask for.
 */
export async function voidUnusedInBatch(
  ctx: LabelContext,
  caller: Caller,
  batch: { id: number; userId: number },
): Promise<VoidCounts> {
  const actorId = actingUserIdOf(caller)
  const mine = carrierAccountNames(ctx)
  const { ids, taken } = await ctx.database.tx(async tx => {
    const requested = await requestVoids(tx, mine, await selectUnusedInBatch(tx, mine, batch.id), {
      actorId,
    })
    const asked = requested.map(({ id }) => id)
    if (asked.length > 0) {
      const detail = { batchId: batch.id, labels: asked.length }
      await insertAuditEntries(tx, [
        { actorId, subjectId: batch.userId, action: 'void-requested', detail },
      ])
    }
    return { ids: asked, taken: await claimDueVoids(tx, ctx, asked) }
  })
  await askUntilSettled(ctx, ids, PATIENCE_FOR_ONE_MS, taken)
  const now = Map.groupBy(
    await findOrders(ctx.database.db, ids),
    order => voidStatusOf(order) ?? 'refused',
  )
  const many = (status: VoidStatus): number => now.get(status)?.length ?? 0
  return { requested: many('requested'), voided: many('voided'), refused: many('refused') }
}

/** Asks the carrier about labels being voided, of which some are in hand, until all is known or patience ends. */
async function askUntilSettled(
  ctx: LabelContext,
  ids: number[],
  patienceMs: number,
  first: ClaimedVoids,
): Promise<void> {
  const { db, tx: inTx } = ctx.database
  const until = Date.now() + patienceMs
  let taken = first
  let waiting = ids
  for (;;) {
    const timeoutMs = Math.min(
      ctx.config.carrierTimeoutMs,
      Math.max(LEAST_TIMEOUT_MS, until - Date.now()),
    )
    const answered = await askAndSettleVoids(ctx, taken, timeoutMs)
    // A carrier that has taken the wish decides in hours: nobody need wait for that.
    const submitted = new Set(
      answered.filter(({ answer }) => answer.kind === 'submitted').map(({ claim }) => claim.id),
    )
    waiting = await selectVoiding(
      db,
      waiting.filter(id => !submitted.has(id)),
    )
    if (waiting.length === 0 || ctx.closing.aborted || Date.now() >= until) return
    taken = await inTx(tx => claimDueVoids(tx, ctx, waiting))
    if (taken.claims.length === 0) await wait(LOOK_EVERY_MS)
  }
}

/** The worker's part: voids that are due, also those of a process that died over them. */
export async function processDueVoids(ctx: LabelContext): Promise<void> {
  while (!ctx.closing.aborted) {
    const taken = await ctx.database.tx(tx => claimDueVoids(tx, ctx))
    if (taken.claims.length === 0) return
    await askAndSettleVoids(ctx, taken, ctx.config.carrierTimeoutMs)
  }
}

/** Takes voids that are due; the evidence is there before the carrier is asked. */
async function claimDueVoids(tx: Tx, ctx: LabelContext, among?: number[]): Promise<ClaimedVoids> {
  const { carrier } = ctx
  const takenAt = performance.now()
  const room = await availableCalls(tx, carrier, 'void', CARRIER_VOIDS_AT_ONCE)
  const claims =
    room === 0 ? [] : await claimVoids(tx, carrierAccountNames(ctx), room, LABEL_LEASE_MS, among)
  await recordCalls(tx, carrier, 'void', claims.length)
  return withCarrierCalls(tx, carrier.account, takenAt, claims)
}

/** Takes one void at once, whether it is due or not. Empty when the label is not being voided, or in another account. */
export async function claimOneVoid(
  ctx: LabelContext,
  tx: Tx,
  orderId: number,
): Promise<ClaimedVoids> {
  const takenAt = performance.now()
  return withCarrierCalls(
    tx,
    ctx.carrier.account,
    takenAt,
    await claimVoidById(tx, carrierAccountNames(ctx), orderId, LABEL_LEASE_MS),
  )
}

async function withCarrierCalls(
  tx: Tx,
  account: string,
  takenAt: number,
  claims: VoidClaim[],
): Promise<ClaimedVoids> {
  await insertCarrierCalls(
    tx,
    account,
    claims.map(claim => ({ ...claim, orderId: claim.id })),
    'void',
  )
  return { claims, takenAt }
}

/** Voids in this process's hands, and when (performance.now, ms) they were taken: from before the claim. */
export type ClaimedVoids = { claims: VoidClaim[]; takenAt: number }

type AnsweredVoid = { claim: VoidClaim; answer: CarrierVoidResult }

const NOT_SENT: CarrierVoidResult = {
  kind: 'retryable',
  code: 'NOT_SENT',
  message: 'The void was not sent to the carrier in time',
}

/** Asks the carrier for all of these at once and settles what it says. Returns what it said. */
export async function askAndSettleVoids(
  ctx: LabelContext,
  { claims, takenAt }: ClaimedVoids,
  timeoutMs: number,
): Promise<AnsweredVoid[]> {
  const answered = await Promise.all(
    claims.map(async claim => {
      // A process that was frozen past its lease asks no more: the label may have been given back to its owner meanwhile.
      if (performance.now() - takenAt > LABEL_LEASE_MS - timeoutMs)
        return { claim, answer: NOT_SENT }
      const purchase = {
        attempt: { reference: String(claim.id), round: claim.round },
        trackingNumber: claim.trackingNumber,
      }
      const answer = await callVoid(ctx.carrier, purchase, timeoutMs)
      await applyBackoff(ctx, answer)
      return { claim, answer }
    }),
  )
  if (answered.length > 0) await settleVoids(ctx, answered)
  return answered
}

/**
 * Writes what became of voids with the money that follows from it, in the lock order of the house: batch, orders by number, balances by
 * account. Returns how many labels it changed.
 */
export async function applyVoidVerdicts(
  ctx: LabelContext,
  tx: Tx,
  judged: ClaimedVoidVerdict[],
): Promise<number> {
  const confirmed = judged
    .filter(({ verdict }) => verdict.state === 'voided')
    .map(({ claim }) => claim)
  const open = await ctx.batchKeeper.lock(tx, batchIdsOf(confirmed))
  const changed = await writeVoidVerdicts(tx, judged)
  const voided = confirmed.filter(claim => changed.has(claim.id))
  if (voided.length === 0) return changed.size
  await lockWallets(
    tx,
    voided.map(claim => claim.userId),
  )
  await refund(
    tx,
    voided.map(claim => ({
      ...claim,
      ownerId: claim.userId,
      orderId: claim.id,
      note: claim.isAutomatic ? AUTO_VOID_NOTE : undefined,
    })),
  )
  // An open batch makes its files at its end, without the label; those of a closed one are made again.
  await ctx.batchKeeper.changed(
    tx,
    batchIdsOf(voided).filter(id => !open.has(id)),
  )
  return changed.size
}

type ClaimedVoidVerdict = { claim: VoidClaim; verdict: VoidVerdict }

/**
 * State and money together. If the group as a whole fails, one by one; what cannot be settled is asked for again when its lease has run
 * out.
 */
async function settleVoids(ctx: LabelContext, answered: AnsweredVoid[]): Promise<void> {
  const judged = answered.map(({ claim, answer }) => ({
    claim,
    verdict: verdictOnVoid(answer, claim.attempt),
  }))
  const confirmed = judged
    .filter(({ verdict }) => verdict.state === 'voided')
    .map(({ claim }) => claim)
  try {
    await ctx.database.tx(async tx => {
      await closeCarrierCalls(
        tx,
        answered.map(({ claim, answer }) => ({
          orderId: claim.id,
          fence: claim.fence,
          outcome: answer,
        })),
      )
      await applyVoidVerdicts(ctx, tx, judged)
    })
  } catch (error) {
    if (answered.length === 1 || isDatabaseUnavailable(error)) throw error
    for (const one of answered) {
      await settleVoids(ctx, [one]).catch(fault =>
        ctx.log.error({ err: fault, orderId: one.claim.id }, 'a void could not be settled'),
      )
    }
    return
  }
  ctx.batchKeeper.progressed(batchIdsOf(confirmed))
}
