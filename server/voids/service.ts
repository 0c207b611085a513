/**
 * The request is committed before the carrier is called outside any transaction; state and money
 * change together with the answer. A void call may be repeated safely, so after a crash another
 * process repeats it.
 */
import { usd } from '#contract/money.ts'
import type { VoidStatus } from '#contract/orders.ts'
import { insertAuditEntries } from '#server/accounts/audit-store.ts'
import { keyDetail } from '#server/accounts/audit.ts'
import { namesOfCarrierAccounts } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import { getOrderFor, mayAccessOrder } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { voidStatusOf } from '#server/orders/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder, findOrders, selectInAccounts } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { voidObstacle } from './rules.ts'
import { claimVoidsOfAll, settleUntilDone } from './settle.ts'
import { requestVoids } from './store.ts'
import type { VoidRequester } from './store.ts'

export { isScanDecided } from './refunds-store.ts'
export { claimWaitingRefund, requeueVoids } from './store.ts'
export type { VoidClaim } from './store.ts'

/** The worker settles what the request does not wait for. */
const SINGLE_PATIENCE_MS = 5_000
const MANY_PATIENCE_MS = 20_000

const OTHER_ACCOUNT =
  'This label was bought with another carrier account that is not connected now. It cannot be voided until that account is connected. '
  + 'Nothing was changed.'

/** Runs in the transaction of the requests, with the orders really requested. */
type RecordRequested = (tx: Tx, orderIds: number[]) => Promise<void>

export type OrderVoidResult = { order: OrderRecord; void: VoidStatus; message: string }

/**
 * Throws Refusal: 404, 409 for a label that cannot be voided, 422 if the
 * carrier refuses or another carrier account bought the label.
 */
export async function voidOne(
  ctx: LabelContext,
  caller: Caller,
  orderId: number,
  record?: RecordRequested,
): Promise<OrderVoidResult> {
  const before = await getOrderFor(ctx, caller, orderId)
  const problem = voidObstacle(before)
  if (problem) throw new Refusal('label_not_voidable', problem)
  if (
    before.state !== 'voided'
    && !(await selectInAccounts(ctx.database.db, namesOfCarrierAccounts(ctx), [orderId])).has(
      orderId,
    )
  ) {
    throw new Refusal('carrier_account_missing', OTHER_ACCOUNT)
  }
  if (before.state !== 'voided')
    await requestVoidsAndWait(ctx, caller, [orderId], SINGLE_PATIENCE_MS, record)
  const result = voidResultFor((await findOrder(ctx.database.db, orderId))!, before)
  if (result.void === 'refused') throw new Refusal('void_refused', result.message)
  return result
}

/** One result for each distinct id, in the given order. */
export async function voidMany(
  ctx: LabelContext,
  caller: Caller,
  orderIds: number[],
  record?: RecordRequested,
): Promise<{ orderId: number; void: VoidStatus; message: string }[]> {
  const ids = [...new Set(orderIds)]
  const { db } = ctx.database
  const before = new Map(
    (await findOrders(db, ids))
      .filter(order => mayAccessOrder(caller, order))
      .map(order => [order.id, order]),
  )
  const isVoidable = (order: OrderRecord): boolean =>
    order.state !== 'voided' && voidObstacle(order) === null
  const voidable = ids.filter(id => before.has(id) && isVoidable(before.get(id)!))
  const inAccount = await selectInAccounts(db, namesOfCarrierAccounts(ctx), voidable)
  const requested = voidable.filter(id => inAccount.has(id))
  await requestVoidsAndWait(ctx, caller, requested, MANY_PATIENCE_MS, record)
  const after = new Map((await findOrders(db, requested)).map(order => [order.id, order]))
  return ids.map(orderId => {
    const found = before.get(orderId)
    if (!found) return { orderId, void: 'refused', message: 'There is no such order' }
    if (voidable.includes(orderId) && !inAccount.has(orderId))
      return { orderId, void: 'refused', message: OTHER_ACCOUNT }
    const { void: status, message } = voidResultFor(after.get(orderId) ?? found, found)
    return { orderId, void: status, message }
  })
}

function voidResultFor(order: OrderRecord, before: OrderRecord): OrderVoidResult {
  const status = voidStatusOf(order) ?? 'refused'
  return { order, void: status, message: voidMessage(status, order, before) }
}

function voidMessage(status: VoidStatus, order: OrderRecord, before: OrderRecord): string {
  switch (status) {
    case 'voided':
      return before.state === 'voided'
        ? 'This label is voided already'
        : `The label was voided: ${usd(order.price)} went back to the balance`
    case 'requested':
      return order.refundDueAt
        ? `The carrier has voided this label. ${usd(order.price)} comes back on ${order.refundDueAt.toISOString().slice(0, 10)} `
            + 'unless the label is scanned until then.'
        : 'The carrier was asked to void this label. Its price comes back when the carrier confirms.'
    case 'refused':
      return (
        voidObstacle(order)
        ?? `The carrier refused to void this label: ${order.voidReason ?? 'it named no reason'}`
      )
  }
}

async function requestVoidsAndWait(
  ctx: LabelContext,
  caller: Caller,
  ids: number[],
  patienceMs: number,
  record?: RecordRequested,
): Promise<void> {
  if (ids.length === 0) return
  const requester = { actorId: actorIdOf(caller) }
  const accounts = namesOfCarrierAccounts(ctx)
  const claimed = await ctx.database.tx(async tx => {
    const requested = await requestAndAudit(tx, accounts, ids, requester, keyDetail(caller))
    await record?.(tx, requested)
    return claimVoidsOfAll(tx, ctx, ids)
  })
  await settleUntilDone(ctx, ids, patienceMs, claimed)
}

/**
 * Pays back labels that were voided after a restored backup, when the carrier confirms once more.
 */
export async function requestVoidsKnownToCarrier(
  ctx: LabelContext,
  tx: Tx,
  ids: number[],
): Promise<void> {
  if (ids.length > 0) await requestAndAudit(tx, namesOfCarrierAccounts(ctx), ids, 'carrier')
}

/** As `requestVoids`, with an audit entry for each label. Returns the ids of the labels. */
export async function requestAndAudit(
  tx: Tx,
  accounts: CarrierAccountNames,
  ids: number[],
  requester: VoidRequester,
  detail: Record<string, unknown> = {},
): Promise<number[]> {
  const actorId = typeof requester === 'object' ? requester.actorId : null
  const requested = await requestVoids(tx, accounts, ids, requester)
  await insertAuditEntries(
    tx,
    requested.map(({ id, userId }) => ({
      actorId,
      subjectId: userId,
      action: 'void-requested',
      detail: { orderId: id, ...detail },
    })),
  )
  return requested.map(({ id }) => id)
}
