import { resolveLabel, resolveVoid } from '#contract/manual-resolution.ts'
import { cents, dollars, fromDollars } from '#contract/money.ts'
import {
  listAllOrders,
  recheckOrder,
  orderDetails,
  exportOrdersCsv,
} from '#contract/orders-admin.ts'
import type {
  AdminOrder,
  AdminOrderFilter,
  OrderSums,
  TimelineStep,
} from '#contract/orders-admin.ts'
import { PRODUCT } from '#contract/product.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { auditExport } from '#server/accounts/audit.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { orderWire } from '#server/orders/wire.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import {
  resolveLabelManually,
  resolveVoidManually,
  manualResolutionFor,
} from '#server/purchasing/manual-resolution.ts'
import type { ResolutionResult, LabelResolution } from '#server/purchasing/manual-resolution.ts'
import { scanChargeOf } from '#server/voids/refunds.ts'
import type { TimelineEvent } from './order-timeline.ts'
import { ORDERS_SHEET, orderCells, orderLines, ordersHead } from './orders-csv.ts'
import {
  checkOrderNow,
  exportOrders,
  findIdsOfPage,
  findOrdersWithUsers,
  getOrderWithTimeline,
  sumFoundOrders,
} from './orders-service.ts'
import type { OrderWithTimeline } from './orders-service.ts'
import type { LabelSums, OrderWithUser } from './orders-store.ts'

export function registerOrderAdminRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
): void {
  const { db } = ctx.database
  const sandbox = ctx.config.mode === 'sandbox'

  router.handle(listAllOrders, async request => {
    const { page, limit, ...filter } = request.query
    const { ids, total, more } = await findIdsOfPage(db, filter, page, limit)
    const sums = await sumFoundOrders(db, filter, { total, more })
    return answers.list(listAllOrders, request, {
      count: ids.length,
      pages: pagesOf(ids, some => findOrdersWithUsers(db, some)),
      listName: 'orders',
      wrap: orders => ({
        orders: orders.map(one => adminOrderWire(one, sandbox)),
        totalCount: total,
        more,
        sums: sums && sumsWire(sums),
      }),
    })
  })

  router.handle(exportOrdersCsv, async request => {
    const { format, ...query } = request.query
    const { total, more } = await findIdsOfPage(db, query, 1, 1)
    const subjectId = query.userId === undefined ? null : Number(query.userId)
    const filter = filterText(query)
    await auditExport(ctx, request.caller, subjectId, { what: 'labels', rows: total, more, filter })
    const body = await answers.stream(request, async sink =>
      writeOrders(sink, format, await exportOrders(db, query, request.recheckAccess)),
    )
    const today = new Date().toISOString().slice(0, 10)
    const name = `${PRODUCT.toLowerCase()}-labels-${today}.${format}`
    return asFile(request.reply, { type: tableFileType(format), name }).send(body)
  })

  router.handle(
    orderDetails,
    async ({ params }) =>
      await detailsWire(ctx, await getOrderWithTimeline(db, Number(params.orderId))),
  )

  router.handle(recheckOrder, async ({ params, caller }) => {
    const details = await checkOrderNow(ctx, actorIdOf(caller), Number(params.orderId))
    return {
      ok: true,
      message: carrierCheckMessage(details.order),
      ...(await detailsWire(ctx, details)),
    }
  })
  manualResolutionRoutes(router, ctx)
}

async function writeOrders(
  sink: Sink,
  format: TableFormat,
  chunks: AsyncIterable<OrderWithUser[]>,
): Promise<void> {
  if (format === 'xlsx') {
    async function* cells() {
      for await (const orders of chunks) yield orderCells(orders)
    }
    return writeWorkbook(sink, ORDERS_SHEET, cells())
  }
  await sink.write(Buffer.from(ordersHead()))
  for await (const orders of chunks) await sink.write(Buffer.from(orderLines(orders)))
}

function manualResolutionRoutes(router: Router, ctx: LabelContext): void {
  router.handle(resolveLabel, async ({ params, body, caller }) => {
    const { outcome, trackingNumber = '', cost, reason } = body
    const resolution: LabelResolution =
      outcome === 'not-sold'
        ? { outcome }
        : { outcome, trackingNumber, cost: cost === undefined ? null : fromDollars(cost) }
    return resolutionResponse(
      ctx,
      await resolveLabelManually(
        ctx,
        actorIdOf(caller),
        Number(params.orderId),
        resolution,
        reason,
      ),
    )
  })

  router.handle(resolveVoid, async ({ params, body, caller }) =>
    resolutionResponse(
      ctx,
      await resolveVoidManually(
        ctx,
        actorIdOf(caller),
        Number(params.orderId),
        body.outcome,
        body.reason,
      ),
    ),
  )
}

async function detailsWire(ctx: LabelContext, details: OrderWithTimeline) {
  const { resolution, otherAccount } = await manualResolutionFor(ctx, details.order.id)
  const scanCharge = await scanChargeOf(ctx.database.db, details.order.id)
  const { corrected, margin } = details.earnings
  return {
    order: adminOrderWire(details, ctx.config.mode === 'sandbox'),
    timeline: details.timeline.map(stepWire),
    corrected: dollars(corrected),
    margin: margin === null ? null : dollars(margin),
    otherAccount,
    scanCharge: scanCharge === null ? null : dollars(scanCharge),
    hand: resolution && { what: resolution.what, from: resolution.from.toISOString() },
  }
}

async function resolutionResponse(ctx: LabelContext, { order, isAnswered }: ResolutionResult) {
  const message = isAnswered
    ? `The carrier has answered, and its answer counts: ${lowerFirst(carrierCheckMessage(order))}`
    : manualResolutionMessage(order)
  return {
    ok: true as const,
    message,
    ...(await detailsWire(ctx, await getOrderWithTimeline(ctx.database.db, order.id))),
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function manualResolutionMessage({ state }: OrderRecord): string {
  switch (state) {
    case 'failed':
      return 'Resolved as not sold; the hold was released'
    case 'voided':
      return 'Resolved as refunded; the customer was credited'
    case 'purchased':
      return 'Resolved; the label is valid'
    default:
      return 'Resolved manually'
  }
}

function carrierCheckMessage({ state, voidReason }: OrderRecord): string {
  switch (state) {
    case 'purchased':
      return voidReason === null
        ? 'The carrier sold this label'
        : 'The carrier refused to void this label'
    case 'failed':
      return 'The carrier did not sell this label; the hold was released'
    case 'queued':
    case 'purchasing':
      return 'The carrier did not sell this label; it will be bought again'
    case 'voided':
      return 'The carrier voided this label; the price was refunded'
    default:
      return 'The carrier has not decided yet; it will be looked up again'
  }
}

/** 'state failed, a search': for the audit, which contains no typed text. */
const filterText = ({ search, ...fields }: AdminOrderFilter): string =>
  [
    ...Object.entries(fields).map(([name, value]) => `${name} ${value}`),
    ...(search ? ['a search'] : []),
  ].join(', ')

const adminOrderWire = ({ order, user, cost }: OrderWithUser, sandbox: boolean): AdminOrder => ({
  ...orderWire(order, sandbox),
  state: order.state,
  user: personWire(user),
  cost: cost === null ? null : dollars(cost),
  purchasedAt: order.purchasedAt?.toISOString() ?? null,
  voidedAt: order.voidedAt?.toISOString() ?? null,
})

const sumsWire = ({ price, costed, cost, ...counts }: LabelSums): OrderSums => ({
  ...counts,
  price: dollars(price),
  cost: dollars(cost),
  margin: dollars(cents(costed - cost)),
})

const stepWire = ({ at, kind, text, amount, by, detail }: TimelineEvent): TimelineStep => ({
  at: at.toISOString(),
  kind,
  text,
  ...(amount !== undefined && { amount: dollars(amount) }),
  ...(by && { by: personWire(by) }),
  ...(detail !== undefined && { detail }),
})
