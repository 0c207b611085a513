import { dollars } from '#contract/money.ts'
import * as calls from '#contract/orders.ts'
import { TEMPLATE_CSV } from '#contract/rows.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { quoteShipments } from '#server/catalogue/service.ts'
import type { Router } from '#server/platform/http/router.ts'
import { purchaseLabel } from '#server/purchasing/place.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { labelVoidRoutes } from '#server/voids/routes.ts'
import { countOrdersByDay, countOrders } from './lists-store.ts'
import { getOrdersPage } from './lists.ts'
import { labelFileName } from './rules.ts'
import { orderWire, rethrowWithCallFields, orderInputFrom } from './wire.ts'

export function orderRoutes(door: Router, ctx: LabelContext): void {
  const { db } = ctx.database
  const sandbox = ctx.config.mode === 'sandbox'

  door.handle(calls.placeOrder, async ({ body, caller, request, reply }) => {
    const key = request.headers['idempotency-key']
    const requestKey = typeof key === 'string' && key !== '' ? key.slice(0, 200) : undefined
    const order = await purchaseLabel(ctx, caller.userId, orderInputFrom(body), requestKey).catch(
      rethrowWithCallFields,
    )
    const bought = order.trackingNumber !== null
    if (!bought) reply.code(202)
    return {
      data: {
        // Said again to the same key after a void it is the same answer; the file itself says that it is gone.
        pdfName: bought ? labelFileName(order.id, order.pdfKey, sandbox) : null,
        orderId: String(order.id),
        trackingNumber: order.trackingNumber,
        price: dollars(order.price),
      },
      message: bought
        ? 'Label Created Successfully!'
        : order.state === 'unknown'
          ? 'The label is being checked with the carrier. It will appear in Orders.'
          : 'The label is waiting for the carrier. It will appear in Orders.',
    }
  })

  door.handle(calls.quotePrice, async ({ body, caller }) => {
    const parcels = body.shipments.map(shipment => ({
      service: shipment.service_name,
      weight: shipment.package?.package_weight,
    }))
    return { totalPrice: dollars(await quoteShipments(db, caller.userId, parcels)) }
  })

  door.handle(calls.recentOrders, async ({ params, query }) => {
    const { orders } = await getOrdersPage(db, Number(params.userId), {
      offset: 0,
      limit: query.limit,
    })
    return { recentOrders: orders.map(order => orderWire(order, sandbox)) }
  })

  door.handle(calls.totalOrders, async ({ params }) => ({
    totalOrders: await countOrders(db, Number(params.userId)),
  }))

  door.handle(calls.orderTrend, async ({ params, query }) => ({
    days: await countOrdersByDay(db, Number(params.userId), TREND_DAYS, query.offset),
  }))

  door.handle(calls.listOrders, async ({ params, query: { page, limit, ...wish } }) => {
    const { orders, total, more } = await getOrdersPage(
      db,
      Number(params.userId),
      { offset: (page - 1) * limit, limit },
      wish,
    )
    return { orders: orders.map(order => orderWire(order, sandbox)), totalCount: total, more }
  })

  door.handle(calls.downloadBulkTemplate, async ({ reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="evenpost-bulk-template.csv"')
      .send(TEMPLATE_CSV),
  )

  labelVoidRoutes(door, ctx)
}
