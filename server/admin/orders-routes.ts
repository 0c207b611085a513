import { Readable } from 'node:stream'
import { listAllOrders, recheckOrder, orderDetails, exportOrdersCsv } from '#contract/orders-admin.ts'
import type { AdminOrder, TimelineStep } from '#contract/orders-admin.ts'
import { resolveLabel, resolveVoid } from '#contract/manual-resolution.ts'
import { dollars, fromDollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { orderWire } from '#server/orders/wire.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  resolveLabelManually,
  resolveVoidManually,
  manualResolutionFor,
} from '#server/purchasing/manual-resolution.ts'
import type { ResolutionResult, LabelResolution } from '#server/purchasing/manual-resolution.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { TimelineEvent } from './order-timeline.ts'
import { checkOrderNow, exportOrders, ordersPage, getOrderWithTimeline } from './orders-service.ts'
import type { OrderWithTimeline } from './orders-service.ts'
import type { OrderWithUser } from './orders-store.ts'

export function orderAdminRoutes(router: Router, ctx: LabelContext): void {
  const { db } = ctx.database
  const sandbox = ctx.config.mode === 'sandbox'
  const storyWire = async (story: OrderWithTimeline) => {
    const { resolution, otherAccount } = await manualResolutionFor(ctx, story.order.id)
    return {
      order: adminOrderWire(story, sandbox),
      timeline: story.timeline.map(stepWire),
      otherAccount,
      hand: resolution && { what: resolution.what, from: resolution.from.toISOString() },
    }
  }

  router.handle(listAllOrders, async ({ query: { page, limit, ...filter } }) => {
    const { orders, total, more } = await ordersPage(db, filter, page, limit)
    return { orders: orders.map(one => adminOrderWire(one, sandbox)), totalCount: total, more }
  })

  router.handle(exportOrdersCsv, async ({ query, recheckAccess, reply }) => {
    const parts = await exportOrders(db, query, recheckAccess)
    const today = new Date().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="${PRODUCT.toLowerCase()}-labels-${today}.csv"`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Readable.from(parts))
  })

  router.handle(
    orderDetails,
    async ({ params }) => await storyWire(await getOrderWithTimeline(db, Number(params.orderId))),
  )

  router.handle(recheckOrder, async ({ params, caller }) => {
    const story = await checkOrderNow(
      ctx,
      caller.impersonatorId ?? caller.userId,
      Number(params.orderId),
    )
    return { ok: true, message: carrierCheckMessage(story.order), ...(await storyWire(story)) }
  })

  router.handle(resolveLabel, async ({ params, body, caller }) => {
    const { outcome, trackingNumber = '', cost, reason } = body
    const word: LabelResolution =
      outcome === 'not-sold'
        ? { outcome }
        : { outcome, trackingNumber, cost: cost === undefined ? null : fromDollars(cost) }
    return ended(
      await resolveLabelManually(
        ctx,
        caller.impersonatorId ?? caller.userId,
        Number(params.orderId),
        word,
        reason,
      ),
    )
  })

  router.handle(resolveVoid, async ({ params, body, caller }) =>
    ended(
      await resolveVoidManually(
        ctx,
        caller.impersonatorId ?? caller.userId,
        Number(params.orderId),
        body.outcome,
        body.reason,
      ),
    ),
  )

  async function ended({ order, isAnswered }: ResolutionResult) {
    const message = isAnswered
      ? `The carrier has answered after all, and its word counts: ${lowerFirst(carrierCheckMessage(order))}`
      : manualResolutionMessage(order)
    return {
      ok: true as const,
      message,
      ...(await storyWire(await getOrderWithTimeline(db, order.id))),
    }
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** What the administrator reads when his word was taken. */
function manualResolutionMessage({ state }: OrderRecord): string {
  switch (state) {
    case 'failed':
      return 'Ended as not sold; the money is given back'
    case 'voided':
      return 'Ended as paid back; the customer has the money'
    case 'purchased':
      return 'Ended; the label is good'
    default:
      return 'Ended by hand'
  }
}

/** What the administrator reads when the carrier was asked. */
function carrierCheckMessage({ state, voidReason }: OrderRecord): string {
  switch (state) {
    case 'purchased':
      return voidReason === null
        ? 'The carrier sold this label'
        : 'The carrier refused to void this label'
    case 'failed':
      return 'The carrier did not sell this label; the money is given back'
    case 'queued':
    case 'purchasing':
      return 'The carrier did not sell this label; it is bought anew'
    case 'voided':
      return 'The carrier voided this label; the money is paid back'
    default:
      return 'The carrier has not said yet; it will be asked again'
  }
}

const adminOrderWire = ({ order, user, cost }: OrderWithUser, sandbox: boolean): AdminOrder => ({
  ...orderWire(order, sandbox),
  state: order.state,
  user: personWire(user),
  cost: cost === null ? null : dollars(cost),
  purchasedAt: order.purchasedAt?.toISOString() ?? null,
  voidedAt: order.voidedAt?.toISOString() ?? null,
})

const stepWire = ({ at, kind, text, amount, by, detail }: TimelineEvent): TimelineStep => ({
  at: at.toISOString(),
  kind,
  text,
  ...(amount !== undefined && { amount: dollars(amount) }),
  ...(by && { by: personWire(by) }),
  ...(detail !== undefined && { detail }),
})
