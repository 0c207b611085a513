import { dollars } from '#contract/money.ts'
import * as calls from '#contract/orders.ts'
import { TEMPLATE_CSV } from '#contract/rows.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { quoteShipments } from '#server/catalogue/service.ts'
import type { Door } from '#server/platform/http.ts'
import { countByDay, countOrdersOf } from './lists-store.ts'
import { ordersOf } from './lists.ts'
import { labelName } from './rules.ts'
import { place } from './service.ts'
import type { WithOrders } from './settle.ts'
import { voidRoutes } from './void-routes.ts'
import { orderWire, refusalWire, wishOf } from './wire.ts'

export function orderRoutes(door: Door, house: WithOrders): void {
  const { db } = house.database
  const sandbox = house.config.mode === 'sandbox'

  door.answer(calls.placeOrder, async ({ body, caller, request, reply }) => {
    const key = request.headers['idempotency-key']
    const requestKey = typeof key === 'string' && key !== '' ? key.slice(0, 200) : undefined
    const order = await place(house, caller.userId, wishOf(body), requestKey).catch(refusalWire)
    const bought = order.trackingNumber !== null
    if (!bought) reply.code(202)
    return {
      data: {
        // Said again to the same key after a void it is the same answer; the file itself says that it is gone.
        pdfName: bought ? labelName(order.id, order.pdfKey, sandbox) : null,
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

  door.answer(calls.quote, async ({ body, caller }) => {
    const parcels = body.shipments.map(shipment => ({
      service: shipment.service_name,
      weight: shipment.package?.package_weight,
    }))
    return { totalPrice: dollars(await quoteShipments(db, caller.userId, parcels)) }
  })

  door.answer(calls.recentOrders, async ({ params, query }) => {
    const { orders } = await ordersOf(db, Number(params.userId), { offset: 0, limit: query.limit })
    return { recentOrders: orders.map(order => orderWire(order, sandbox)) }
  })

  door.answer(calls.totalOrders, async ({ params }) => ({
    totalOrders: await countOrdersOf(db, Number(params.userId)),
  }))

  door.answer(calls.orderTrend, async ({ params, query }) => ({
    days: await countByDay(db, Number(params.userId), TREND_DAYS, query.offset),
  }))

  door.answer(calls.listOrders, async ({ params, query: { page, limit, ...wish } }) => {
    const { orders, total, more } = await ordersOf(
      db,
      Number(params.userId),
      { offset: (page - 1) * limit, limit },
      wish,
    )
    return { orders: orders.map(order => orderWire(order, sandbox)), totalCount: total, more }
  })

  door.answer(calls.template, async ({ reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="evenpost-bulk-template.csv"')
      .send(TEMPLATE_CSV),
  )

  voidRoutes(door, house)
}
