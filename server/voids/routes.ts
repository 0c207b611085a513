import { cents, dollars } from '#contract/money.ts'
import type { VoidStatus } from '#contract/orders.ts'
import * as refundCalls from '#contract/refunds.ts'
import type { Refund, RefundDue } from '#contract/refunds.ts'
import * as calls from '#contract/voids.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { orderWire } from '#server/orders/wire.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Router } from '#server/platform/http/router.ts'
import { getBatchVoids, voidBatchLabels } from './batch-voids.ts'
import type { RefundDueRow, RefundSum } from './refunds-store.ts'
import { chargeScannedLabel, giveScanChargeBack, openRefunds, refundsOf } from './refunds.ts'
import type { RefundView } from './refunds.ts'
import { voidMany, voidOne } from './service.ts'

export function registerVoidRoutes(router: Router, ctx: LabelContext): void {
  const sandbox = ctx.config.mode === 'sandbox'

  router.handle(calls.voidOrder, async ({ params, caller, reply }) => {
    const { order, void: status, message } = await voidOne(ctx, caller, Number(params.orderId))
    if (status === 'requested') reply.code(202)
    return { ok: true, message, order: orderWire(order, sandbox) }
  })

  router.handle(calls.voidOrders, async ({ body, caller }) => {
    const results = await voidMany(ctx, caller, body.orderIds.map(Number))
    const count = (status: VoidStatus): number =>
      results.filter(result => result.void === status).length
    return {
      voided: count('voided'),
      requested: count('requested'),
      refused: count('refused'),
      results: results.map(result => ({ ...result, orderId: String(result.orderId) })),
    }
  })

  router.handle(calls.batchVoidSummary, async ({ params, caller }) => {
    const counted = await getBatchVoids(ctx, caller, Number(params.orderId))
    return { ...counted, amount: dollars(counted.amount) }
  })

  router.handle(calls.voidBatch, ({ params, caller }) =>
    voidBatchLabels(ctx, caller, Number(params.orderId)),
  )

  registerRefundRoutes(router, ctx)
}

function registerRefundRoutes(router: Router, ctx: LabelContext): void {
  router.handle(refundCalls.listRefunds, async ({ params, caller, query: { state, ...page } }) => {
    const { refunds, total, sums } = await refundsOf(
      ctx,
      Number(params.userId),
      state ?? null,
      page,
    )
    // Names are of the labels, which a key for the wallet alone does not read.
    const showsNames = caller.key === null || caller.key.scopes.includes('labels:read')
    return {
      refunds: refunds.map(row => refundWire(row, showsNames)),
      totalCount: total,
      pending: sumWire(sums.pending),
      refunded: sumWire(sums.refunded),
      refused: sumWire(sums.refused),
      automatic: sumWire(sums.automatic),
    }
  })

  router.handle(refundCalls.refundsDue, async () => ({
    accounts: Object.values(
      Object.groupBy(await openRefunds(ctx), ({ account }) => account ?? 'unknown'),
    ).flatMap(rows => (rows ? [dueWire(rows)] : [])),
  }))

  router.handle(refundCalls.chargeVoidedScan, async ({ params, caller }) => {
    const { charged, waiting, message } = await chargeScannedLabel(
      ctx,
      actorIdOf(caller),
      Number(params.orderId),
    )
    return { ok: true, message, charged: dollars(charged), waiting: dollars(waiting) }
  })
  router.handle(refundCalls.returnVoidedScanCharge, async ({ params, body, caller }) => {
    const { given, message } = await giveScanChargeBack(
      ctx,
      actorIdOf(caller),
      Number(params.orderId),
      body.reason,
    )
    return { ok: true, message, given: dollars(given) }
  })
}

const sumWire = ({ count, amount }: RefundSum) => ({ count, amount: dollars(amount) })

const refundWire = (row: RefundView, showsNames: boolean): Refund => ({
  orderId: String(row.orderId),
  trackingNumber: row.trackingNumber,
  service: row.service,
  receiver: showsNames ? row.receiver : null,
  amount: dollars(row.amount),
  state: row.state,
  requestedAt: row.requestedAt.toISOString(),
  expectedAt: row.expectedAt?.toISOString() ?? null,
  refundedAt: row.refundedAt?.toISOString() ?? null,
  automatic: row.automatic,
  inDoubt: row.inDoubt,
  confirmed: row.refundDueAt !== null,
  stopped: row.isStopped,
  reason: row.reason,
})

/** `rows`: of one account, by age. */
function dueWire(rows: RefundDueRow[]): RefundDue {
  const sum = (pick: (row: RefundDueRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0)
  return {
    account: rows[0]!.account ?? 'unknown',
    count: sum(({ count }) => count),
    carrierOwes: dollars(cents(sum(({ carrierOwes }) => carrierOwes))),
    unknownCosts: sum(({ unknownCosts }) => unknownCosts),
    customersGet: dollars(cents(sum(({ customersGet }) => customersGet))),
    oldest: new Date(Math.min(...rows.map(({ oldest }) => oldest.getTime()))).toISOString(),
    ages: rows.map(({ fromDays, count, carrierOwes }) => ({
      fromDays,
      count,
      carrierOwes: dollars(carrierOwes),
    })),
  }
}
